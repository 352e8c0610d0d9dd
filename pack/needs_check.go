package pack

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/protocol"
	"github.com/kindgi/kindgi-go/schema"
)

// needsSpec checks what a tool declares that the runtime resolves for each call.
func (f *findings) needsSpec(n *protocol.NeedsSpec) {
	f.needSchemas("Env", n.Env)
	for _, name := range slices.Sorted(maps.Keys(n.Env)) {
		if err := checkEnvName(name); err != nil {
			f.problem("NeedsSpec.Env: %w", err)
		}
	}
	f.needSchemas("Secrets", n.Secrets)
	f.needSchemas("Config", n.Config)
	f.texts("NeedsSpec.Capabilities", n.Capabilities)
	f.texts("NeedsSpec.Bindings", n.Bindings)
	for _, name := range slices.Sorted(maps.Keys(n.Connections)) {
		c := n.Connections[name]
		what := fmt.Sprintf("NeedsSpec.Connections[%q]", name)
		switch {
		case name == "":
			f.problem("NeedsSpec.Connections has a connection without a name")
		case c == nil:
			f.problem("%s is nil; give a &protocol.Connection", what)
		default:
			f.oneOf(what+".As", string(c.As), names(protocol.ConnectionPerson, protocol.ConnectionCompany))
		}
	}
}

// needSchemas checks the schemas of declared values. A runtime compiles them in its
// validator's strict mode, as it does a tool's.
func (f *findings) needSchemas(field string, schemas map[string]jsontext.Value) {
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		what := fmt.Sprintf("NeedsSpec.%s[%q]", field, name)
		if name == "" {
			f.problem("NeedsSpec.%s has a value without a name", field)
		}
		if len(schemas[name]) == 0 {
			f.problem(`%s has no schema; {"type":"string"} admits every text`, what)
			continue
		}
		document, preset, err := splitDefault(schemas[name])
		if err != nil {
			f.problem("%s: %w", what, err)
			continue
		}
		s, err := schema.Compile(document)
		if err == nil {
			err = s.Strict()
		}
		if err != nil {
			f.problem("%s: %w", what, err)
			continue
		}
		if preset == nil {
			continue
		}
		issues, err := s.Validate(preset)
		if err != nil {
			f.problem("%s: its default: %w", what, err)
		}
		for _, issue := range issues {
			f.problem("%s: its default does not fit%s", what, describe(issue))
		}
	}
}

// splitDefault takes the default off the root of a schema. There it is not a validator's,
// whose strict mode refuses it, but what the runtime sends when no scope sets a value.
func splitDefault(document jsontext.Value) (rest []byte, preset jsontext.Value, err error) {
	var members map[string]jsontext.Value
	if document.Kind() != '{' || json.Unmarshal(document, &members) != nil {
		return document, nil, nil // Compile says what is wrong with it
	}
	preset, ok := members["default"]
	if !ok {
		return document, nil, nil
	}
	delete(members, "default")
	rest, err = json.Marshal(members, json.Deterministic(true))
	return rest, preset, err
}

// checkEnvName reports why a name cannot be declared as an env name.
func checkEnvName(name string) error {
	switch {
	case !isEnvName(name):
		return fmt.Errorf("env name %q is not letters, digits and _, the first not a digit", name)
	case strings.HasPrefix(name, "KINDGI_"):
		return fmt.Errorf("env name %q: names that begin with KINDGI_ belong to the service and need no declaration", name)
	}
	return nil
}
