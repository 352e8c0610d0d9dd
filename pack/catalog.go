package pack

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/kindgi/kindgi-go/protocol"
	"github.com/kindgi/kindgi-go/schema"
)

// catalog is what a service serves: the entries of an index, each bound to the code that
// runs it. It does not change once made, apart from what its tools have done.
type catalog struct {
	index *protocol.Index
	// hash works the index's hash out when it is first asked for: writing a large index in its
	// published form would keep a service from starting.
	hash func() string
	// tools holds the versions of each tool in the index's order.
	tools  map[string][]*boundTool
	checks map[string]*boundCheck
	// isOwn: the index is the one that the binary would write, so its schemas are the binary's.
	isOwn bool
	// stale names the schemas of the index that are not the binary's own.
	stale []string
	// warnings are the registrations'.
	warnings []*RegistrationError
}

// boundTool is one version of a tool, with the schemas that are enforced.
type boundTool struct {
	*registeredTool
	input, output *schema.Schema
	didOnce       atomic.Bool // a read-only tool has done something once, and its service has said so
}

// boundCheck is a check, with the schema that is enforced; nil for none.
type boundCheck struct {
	*registeredCheck
	id           string
	configSchema *schema.Schema
}

// newCatalog binds a pack to an index file, or to the index it would write when file is
// nil; name is that of the file, for errors, "" when it has none. Its error joins every problem: a module, a tool or a check that one of the two
// lacks, and a schema that does not compile.
func newCatalog(r *registered, file []byte, name string) (*catalog, error) {
	if err := r.derive(); err != nil {
		return nil, err
	}
	c := &catalog{tools: map[string][]*boundTool{}, checks: map[string]*boundCheck{}, warnings: r.warnings}
	if file == nil {
		c.isOwn = true
		c.index = r.index(Pins{}, sharedDocuments())
		if _, err := c.index.MarshalJSON(); err != nil {
			return nil, fmt.Errorf("the pack's index: %w", err)
		}
		c.hash = sync.OnceValue(func() string {
			file, err := c.index.Bytes()
			if err != nil {
				return "" // it was written just now, and what can be written has a canonical form
			}
			return protocol.Hash(file)
		})
	} else {
		var err error
		if c.index, err = protocol.ParseIndex(file); err != nil {
			return nil, unreadableIndex(name, err)
		}
		hash := protocol.Hash(file)
		c.hash = func() string { return hash }
	}

	problems, missing := r.missingModules(c.index)
	problems = append(problems, c.bindTools(r, missing)...)
	problems = append(problems, c.bindChecks(r, missing)...)
	if len(problems) > 0 && c.index.PackID != r.id {
		// The reason for all the others, most likely.
		problems = slices.Insert(problems, 0, fmt.Errorf("the index is of the pack %q, and this binary is %q", c.index.PackID, r.id))
	}
	return c, errors.Join(problems...)
}

// sharedDocuments gives each schema's document once, for an index that nobody changes.
func sharedDocuments() func(*schema.Schema) []byte {
	documents := map[*schema.Schema][]byte{}
	return func(s *schema.Schema) []byte {
		document, ok := documents[s]
		if !ok {
			document = s.JSON()
			documents[s] = document
		}
		return document
	}
}

// unreadableIndex says of each problem with an index's text that it keeps the index from
// being read. That it is of another version says so itself.
func unreadableIndex(name string, err error) error {
	if _, ok := errors.AsType[*protocol.IndexVersionError](err); ok {
		return err
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		if name != "" {
			err = fmt.Errorf("%s: %w", name, err)
		}
		//lint:ignore ST1005 operators match on this text
		return fmt.Errorf("Cannot read the pack index: %w", err)
	}
	var problems []error
	for _, e := range joined.Unwrap() {
		problems = append(problems, unreadableIndex(name, e))
	}
	return errors.Join(problems...)
}

// missingModules names the modules of an index that the binary has not, each once, in the
// index's order.
func (r *registered) missingModules(x *protocol.Index) (problems []error, missing map[string]bool) {
	known := map[string]bool{}
	for _, t := range r.tools {
		known[t.source.module] = true
	}
	for _, c := range r.checks {
		known[c.source.module] = true
	}
	for _, a := range r.agents {
		known[a.ModulePath] = true
	}
	for _, f := range r.flows {
		known[f.ModulePath] = true
	}
	missing = map[string]bool{}
	look := func(module string) {
		if !known[module] && !missing[module] {
			missing[module] = true
			//lint:ignore ST1005 operators match on this text
			problems = append(problems, fmt.Errorf("Missing module: %s", module))
		}
	}
	for _, t := range x.Tools {
		look(t.ModulePath)
	}
	for _, g := range x.Guardrails {
		look(g.CheckModulePath)
	}
	for _, a := range x.Agents {
		look(a.ModulePath)
	}
	for _, f := range x.Flows {
		look(f.ModulePath)
	}
	return problems, missing
}

// bindTools finds the code of each tool the index names. Where whole modules are missing,
// what they held is not named one by one.
func (c *catalog) bindTools(r *registered, missing map[string]bool) []error {
	var problems []error
	code := map[string]*registeredTool{}
	for _, t := range r.tools {
		code[t.ID+" "+t.Version] = t
	}
	// Two allocations for all, since they live as long as each other: the collector of garbage looks at
	// each again and again.
	bound, alone := make([]boundTool, 0, len(c.index.Tools)), make([]*boundTool, 0, len(c.index.Tools))
	for _, e := range c.index.Tools {
		version := e.Version
		if version == "" {
			version = r.version
		}
		t, ok := code[e.ID+" "+version]
		delete(code, e.ID+" "+version)
		if !ok || t.source.module != e.ModulePath {
			if !missing[e.ModulePath] {
				problems = append(problems, fmt.Errorf("module %s has no tool %q %s", e.ModulePath, e.ID, version))
			}
			continue
		}
		input, err := c.schema(t.input, e.Input, "tool "+e.ID+" "+version+" input")
		if err != nil {
			problems = append(problems, err)
		}
		output, err := c.schema(t.output, e.Output, "tool "+e.ID+" "+version+" output")
		if err != nil {
			problems = append(problems, err)
		}
		bound = append(bound, boundTool{registeredTool: t, input: input, output: output})
		last := &bound[len(bound)-1]
		if versions := c.tools[e.ID]; len(versions) > 0 {
			c.tools[e.ID] = append(versions, last)
			continue
		}
		alone = append(alone, last)
		c.tools[e.ID] = alone[len(alone)-1 : len(alone) : len(alone)]
	}
	for _, t := range r.tools {
		if len(missing) == 0 && code[t.ID+" "+t.Version] == t {
			problems = append(problems, registrationError(t.source, "the index has no tool %q %s: write the index again", t.ID, t.Version))
		}
	}
	return problems
}

// bindChecks does for checks what bindTools does for tools.
func (c *catalog) bindChecks(r *registered, missing map[string]bool) []error {
	var problems []error
	code := map[string]*registeredCheck{}
	for _, k := range r.checks {
		code[k.ID] = k
	}
	for _, e := range c.index.Guardrails {
		id := e.CheckID
		if id == "" {
			id = e.ID
		}
		k, ok := code[e.ID]
		delete(code, e.ID)
		if !ok || k.source.module != e.CheckModulePath || k.checkID() != id {
			if !missing[e.CheckModulePath] {
				problems = append(problems, fmt.Errorf("module %s has no check %q for guardrail %q", e.CheckModulePath, id, e.ID))
			}
			continue
		}
		bound := &boundCheck{registeredCheck: k, id: id}
		if len(e.ConfigSchema) > 0 {
			s, err := c.schema(k.configSchema, e.ConfigSchema, "check "+id+" config")
			if err != nil {
				problems = append(problems, err)
			}
			bound.configSchema = s
		} else if k.configSchema != nil {
			c.stale = append(c.stale, "check "+id+" config")
		}
		if c.checks[id] == nil {
			c.checks[id] = bound
		}
	}
	for _, k := range r.checks {
		if len(missing) == 0 && code[k.ID] == k {
			problems = append(problems, registrationError(k.source, "the index has no guardrail %q: write the index again", k.ID))
		}
	}
	return problems
}

// schema gives the schema to enforce: the index's, which is nearly always the binary's
// own, already compiled.
func (c *catalog) schema(own *schema.Schema, document []byte, what string) (*schema.Schema, error) {
	if c.isOwn || own != nil && sameDocument(own.JSON(), document) {
		return own, nil
	}
	s, err := schema.Compile(document)
	if err != nil {
		return nil, fmt.Errorf("%s schema: %w", what, err)
	}
	c.stale = append(c.stale, what)
	return s, nil
}

// sameDocument reports whether two documents are one in an index. There a number is what a float64
// holds of it, so the index of a pack with an int64 says 9223372036854776000; the binary's own schema
// is exact and enforces what it can decode.
func sameDocument(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, err := protocol.AppendCanonical(nil, a, "")
	if err != nil {
		return false
	}
	y, err := protocol.AppendCanonical(nil, b, "")
	return err == nil && bytes.Equal(x, y)
}

// maxAsked is how many characters of an id or a version that no pack has an answer and a
// record repeat: it is the caller's, and may be as long as a body.
const maxAsked = 200

// tool finds the version of a tool that a call asks for.
func (c *catalog) tool(id, version string) (*boundTool, *protocol.Error) {
	versions := c.tools[id]
	switch {
	case len(versions) == 0:
		id = shortened(id, maxAsked)
		return nil, &protocol.Error{Code: protocol.ToolNotInPack, Message: "This pack has no tool \"" + id + "\"", ToolID: id}
	case version == "" && len(versions) == 1:
		return versions[0], nil
	case version == "":
		return nil, &protocol.Error{Code: protocol.ToolVersionMismatch, ToolID: id,
			Message: fmt.Sprintf("Tool \"%s\" has several versions in this pack (%s); the caller named none", id, versionList(versions))}
	}
	for _, t := range versions {
		if t.Version == version {
			return t, nil
		}
	}
	return nil, &protocol.Error{Code: protocol.ToolVersionMismatch, ToolID: id,
		Message: fmt.Sprintf("Tool \"%s\" is %s in this pack; the caller asked for %s", id, versionList(versions), shortened(version, maxAsked))}
}

// check finds a check.
func (c *catalog) check(id string) (*boundCheck, *protocol.Error) {
	if k, ok := c.checks[id]; ok {
		return k, nil
	}
	id = shortened(id, maxAsked)
	return nil, &protocol.Error{Code: protocol.CheckNotInPack, Message: "This pack has no check \"" + id + "\"", CheckID: id}
}

func versionList(tools []*boundTool) string {
	versions := make([]string, len(tools))
	for i, t := range tools {
		versions[i] = t.Version
	}
	return strings.Join(versions, ", ")
}

// info is the answer to GET /v1/info.
func (c *catalog) info(missingEnv []string) protocol.Info {
	x := c.index
	info := protocol.Info{
		Protocol:        protocol.Version,
		PackID:          x.PackID,
		PackVersion:     x.PackVersion,
		ArtifactVersion: x.ArtifactVersion,
		IndexHash:       c.hash(),
		Tools:           []protocol.InfoTool{},
		Checks:          []string{},
		MissingEnv:      append([]string{}, missingEnv...),
	}
	for _, t := range x.Tools {
		info.Tools = append(info.Tools, protocol.InfoTool{ID: t.ID, Version: t.Version})
	}
	seen := map[string]bool{}
	for _, g := range x.Guardrails {
		id := g.CheckID
		if id == "" {
			id = g.ID
		}
		if !seen[id] {
			seen[id] = true
			info.Checks = append(info.Checks, id)
		}
	}
	return info
}
