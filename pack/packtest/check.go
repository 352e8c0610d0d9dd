package packtest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	mathrand "math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
	"github.com/kindgi/kindgi-go/schema"
)

// Finding is one way in which a pack breaks a rule of [Check].
type Finding struct {
	// Rule is the rule that is broken.
	Rule Rule
	// Source is the file and line of the registration, as "FILE:LINE"; "" for the pack.
	Source string
	// Subject is what breaks it, such as "tool acme.orders.lookup".
	Subject string
	// Problem says how.
	Problem string
}

// Error gives the place, the problem and why the rule is there.
func (f *Finding) Error() string {
	place := ""
	if f.Source != "" {
		place = f.Source + ": "
	}
	return fmt.Sprintf("%s%s: %s (%s: %s)", place, f.Subject, f.Problem, f.Rule, f.Rule.Why())
}

// Rule names a rule of [Check].
type Rule string

// The rules.
const (
	RuleRegistration Rule = "registration" // the Builder reports no problem
	RuleWarning      Rule = "warning"      // nor a warning
	RuleAgreement    Rule = "agreement"    // what a schema admits decodes into the handler's type
	RuleExamples     Rule = "examples"     // the examples in a schema are valid by it
	RuleStart        Rule = "start"        // what Builder.OnStart registered opens, and closes again
	RuleZeroInput    Rule = "zero-input"   // no handler panics on its zero input
	RuleDescription  Rule = "description"  // every tool has a description of a useful length
	RuleReadOnly     Rule = "read-only"    // a read-only tool makes no request that writes
)

// Why explains a rule.
func (r Rule) Why() string {
	switch r {
	case RuleRegistration:
		return "a pack with a registration problem does not start"
	case RuleWarning:
		return "it is allowed and probably not meant, and the service's log says so at every start"
	case RuleAgreement:
		return "a model that keeps to the schema must not be refused, nor lose what it sent"
	case RuleExamples:
		return "a model imitates the examples it sees"
	case RuleStart:
		return "handlers need what OnStart opens, and a service closes it at its end"
	case RuleZeroInput:
		return "models do send the least that a schema admits"
	case RuleDescription:
		return "a model chooses tools by their descriptions, and reads all of them in every turn"
	case RuleReadOnly:
		return "runtimes call read-only tools without asking a person"
	}
	return ""
}

// Descriptions shorter or longer than these, in characters, break [RuleDescription].
const (
	minDescription = 12
	maxDescription = 1024
)

// inputsPerTool is how many generated inputs each tool's schema and type must agree on.
const inputsPerTool = 100

// Check holds a pack against rules that make it good to call, apart from those that
// skip names. Its error joins every [*Finding]. It is not tied to package testing:
//
//	if err := packtest.Check(newPack()); err != nil {
//		t.Error(err)
//	}
//
// For [RuleZeroInput] it runs each handler once with the zero value of its input, when
// its schema admits that, under a context with a call for the tenant "test". A pack whose
// handlers must not run so skips that rule.
//
// Before the first handler it runs what [pack.Builder.OnStart] registered, as a service would,
// and closes it after the last. When that fails it says so, under [RuleStart], and runs no
// handler. A pack that must not be started twice is started by the test, with [Start] or
// [pack.Builder.Start], and skips RuleStart: nothing is started then, and handlers use what is
// open. Nor is anything started for a pack without handlers, or when RuleZeroInput is skipped.
func Check(b *pack.Builder, skip ...Rule) error {
	c := &checker{skip: skip}
	tools, err := b.Tools()
	if err != nil {
		c.each(RuleRegistration, b, err)
		return errors.Join(c.findings...)
	}
	for _, w := range b.Warnings() {
		c.registered(RuleWarning, b, w)
	}
	end, err := c.serve(b, tools)
	if err != nil {
		return err
	}
	for t := range tools {
		c.tool(t)
	}
	end()
	checks, err := b.Checks()
	if err != nil {
		return err
	}
	for k := range checks {
		if k.ConfigSchema != nil {
			c.at(k.Source, "check "+k.ID)
			c.examples("config", k.ConfigSchema)
			c.agreement("config", k.ConfigSchema, k.ConfigType)
		}
	}
	return errors.Join(c.findings...)
}

// checker collects findings.
type checker struct {
	service         *Service // that the handlers run in; nil when none is to run
	skip            []Rule
	source, subject string
	findings        []error
}

func (c *checker) at(source, subject string) { c.source, c.subject = source, subject }

// holds reports whether a rule is not skipped.
func (c *checker) holds(rule Rule) bool { return !slices.Contains(c.skip, rule) }

func (c *checker) find(rule Rule, format string, args ...any) {
	if c.holds(rule) {
		c.findings = append(c.findings, &Finding{rule, c.source, c.subject, fmt.Sprintf(format, args...)})
	}
}

// serve starts the pack and its service, which the handlers run in one after the other, as a
// runtime would run them. What it gives ends both. A pack that does not start is a finding, and
// its handlers are not run.
func (c *checker) serve(b *pack.Builder, tools iter.Seq[pack.ToolInfo]) (end func(), err error) {
	hasHandler := false
	for t := range tools {
		hasHandler = hasHandler || t.HTTP == nil
	}
	if !hasHandler || !c.holds(RuleZeroInput) {
		return func() {}, nil
	}
	o := pack.Options{Token: rand.Text(), EnvCheck: pack.EnvWarn, Log: &pack.LogOptions{Output: io.Discard}}
	service, err := b.Service(o)
	if err != nil {
		return nil, err
	}
	stop := func(context.Context) error { return nil }
	if c.holds(RuleStart) {
		started, err := b.Start(context.Background())
		if err != nil {
			c.each(RuleStart, b, err)
			return func() {}, nil
		}
		stop = started
	}
	served, server := serve(service, o.Token)
	c.service = served
	return func() {
		server.Close()
		if err := stop(context.Background()); err != nil {
			c.each(RuleStart, b, fmt.Errorf("what OnStart opened could not be closed: %w", err))
		}
		_ = service.Flush(context.Background()) // nothing is kept of what is flushed
	}, nil
}

// each finds each of the problems that an error joins.
func (c *checker) each(rule Rule, b *pack.Builder, err error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			c.each(rule, b, e)
		}
		return
	}
	c.registered(rule, b, err)
}

// registered finds what a registration is told, at its place.
func (c *checker) registered(rule Rule, b *pack.Builder, err error) {
	c.at("", "pack "+b.ID())
	if r, ok := errors.AsType[*pack.RegistrationError](err); ok {
		c.at(fmt.Sprintf("%s:%d", r.File, r.Line), c.subject)
		err = r.Err
	}
	c.find(rule, "%v", err)
}

func (c *checker) tool(t pack.ToolInfo) {
	c.at(t.Source, "tool "+t.ID)
	switch n := utf8.RuneCountInString(strings.TrimSpace(t.Description)); {
	case n == 0:
		c.find(RuleDescription, "it has no description")
	case n < minDescription:
		c.find(RuleDescription, "its description %q has fewer than %d characters: say what it does and when to use it", t.Description, minDescription)
	case n > maxDescription:
		c.find(RuleDescription, "its description has %d characters, more than %d", n, maxDescription)
	}
	if t.ReadOnly && t.HTTP != nil && slices.Contains([]string{http.MethodPut, http.MethodPatch, http.MethodDelete}, t.HTTP.Method) {
		c.find(RuleReadOnly, "it is read-only and makes a %s request", t.HTTP.Method)
	}
	c.examples("input", t.Input)
	c.examples("output", t.Output)
	if t.HTTP != nil {
		return
	}
	c.agreement("input", t.Input, t.In)
	if c.service != nil {
		c.zeroInput(t)
	}
}

// agreement decodes generated values that the schema admits into the type, and back.
func (c *checker) agreement(what string, s *schema.Schema, in reflect.Type) {
	var root map[string]any
	if err := json.Unmarshal(s.JSON(), &root); err != nil {
		c.find(RuleAgreement, "its %s schema is no object: %v", what, err)
		return
	}
	// The seed is fixed: a test that fails fails again.
	g := &generator{random: mathrand.New(mathrand.NewPCG(1, 2)), root: root}
	for range inputsPerTool {
		data, err := json.Marshal(g.value(root, 0))
		if err != nil {
			continue // a text that is no UTF-8, made for a pattern
		}
		issues, err := s.Validate(data)
		if err != nil || len(issues) > 0 {
			continue // the generator knows less than the schema
		}
		if err := schema.Unmarshal(data, reflect.New(in).Interface()); err != nil {
			c.find(RuleAgreement, "its %s schema admits %s, which %s does not take: %v", what, data, in, err)
			return
		}
	}
}

// examples validates what a schema gives as examples.
func (c *checker) examples(what string, s *schema.Schema) {
	var root any
	if err := json.Unmarshal(s.JSON(), &root); err != nil {
		c.find(RuleExamples, "its %s schema is not JSON: %v", what, err)
		return
	}
	var walk func(at any, path string)
	walk = func(at any, path string) {
		m, ok := at.(map[string]any)
		if !ok {
			return
		}
		if examples, ok := m["examples"].([]any); ok {
			c.examplesOf(what, path, m, root, examples)
		}
		for _, name := range sortedKeys(m) {
			switch child := m[name].(type) {
			case map[string]any:
				walk(child, path+"/"+name)
			case []any:
				for i, element := range child {
					walk(element, fmt.Sprintf("%s/%s/%d", path, name, i))
				}
			}
		}
	}
	walk(root, "")
}

func (c *checker) examplesOf(what, path string, at map[string]any, root any, examples []any) {
	document := maps.Clone(at)
	delete(document, "examples")
	if m, ok := root.(map[string]any); ok && m["$defs"] != nil {
		document["$defs"] = m["$defs"]
	}
	raw, err := json.Marshal(document)
	if err != nil {
		return // it was JSON a moment ago
	}
	s, err := schema.Compile(raw)
	if err != nil {
		return // not a schema: a property that is called examples
	}
	for _, example := range examples {
		data, err := json.Marshal(example)
		if err != nil {
			continue // it was JSON a moment ago
		}
		issues, err := s.Validate(data)
		if err != nil || len(issues) == 0 {
			continue
		}
		c.find(RuleExamples, "its %s schema gives the example %s at %q, which it does not admit: %s", what, data, path, issues[0].Message)
	}
}

// zeroInput calls the tool with the zero value of its input.
func (c *checker) zeroInput(t pack.ToolInfo) {
	zero := reflect.New(t.In)
	input, err := schema.Marshal(zero.Interface())
	if err != nil {
		return // there is no zero input to send
	}
	_, err = Call[jsontext.Value, jsontext.Value](context.Background(), c.service, t.ID, input, WithVersion(t.Version))
	if e, ok := errors.AsType[*protocol.Error](err); ok && e.Code == protocol.HandlerThrow && e.Cause != nil &&
		(e.Cause.Name == "panic" || e.Cause.Name == "Goexit") {
		c.find(RuleZeroInput, "its handler panics on %s: %s", input, e.Cause.Message)
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
