package pack_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

// registration is a case of the tests of what a pack may declare.
type registration struct {
	name     string
	register func(*pack.Builder)
	problems []string // their texts, without the place
	warnings []string
}

// run registers each case in a pack of its own and compares everything it finds.
func checkRegistrations(t *testing.T, tests []registration) {
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := pack.New("acme", "1.0.0")
			test.register(b)
			_, err := b.Index(pack.Pins{ArtifactVersion: "1"})
			var problems []*pack.RegistrationError
			if err != nil {
				for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
					problem, ok := errors.AsType[*pack.RegistrationError](e)
					if !ok {
						t.Fatalf("the problem %v has no place", e)
					}
					problems = append(problems, problem)
				}
			}
			compare(t, "problems", problems, test.problems)
			compare(t, "warnings", b.Warnings(), test.warnings)
		})
	}
}

func compare(t *testing.T, what string, found []*pack.RegistrationError, want []string) {
	t.Helper()
	var got []string
	for _, f := range found {
		got = append(got, f.Err.Error())
		if !strings.HasPrefix(f.File, "pack/") || !strings.HasSuffix(f.File, "_test.go") || f.Line == 0 {
			t.Errorf("the place of %v is %s:%d", f.Err, f.File, f.Line)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n  got  %s\n  want %s", what, strings.Join(got, "\n       "), strings.Join(want, "\n       "))
	}
}

// tool registers a tool that is "acme.x" unless it says otherwise.
func tool(t pack.Tool) func(*pack.Builder) {
	if t.ID == "" {
		t.ID = "acme.x"
	}
	return func(b *pack.Builder) { pack.AddTool(b, t, echo) }
}

func schemas(pairs ...string) map[string]jsontext.Value {
	m := map[string]jsontext.Value{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = jsontext.Value(pairs[i+1])
	}
	return m
}

func TestToolManifest(t *testing.T) {
	t.Parallel()
	checkRegistrations(t, []registration{
		{name: "everything", register: tool(pack.Tool{
			Version: "1.2.3-rc.1+build.5", Description: "Looks it up.",
			Effects: []protocol.Effect{{Kind: protocol.EffectReads, Resource: "orders"}, {Kind: protocol.EffectWrites}},
			Needs:   []protocol.Need{{Name: "search"}, {Name: "mail", Optional: true}},
			NeedsSpec: &protocol.NeedsSpec{
				Env:          schemas("REGION", `{"type":"string","default":"eu"}`),
				Secrets:      schemas("api-key", `{"type":"string","minLength":1}`),
				Config:       schemas("limit", `{"type":"integer"}`),
				Capabilities: []string{"a"}, Bindings: []string{"b"},
				Connections: map[string]*protocol.Connection{"mail": {As: protocol.ConnectionPerson}},
			},
			Sandbox: protocol.SandboxStrict, Limits: &protocol.Limits{MemMB: 64, CPUMs: 100},
			Network: &protocol.Network{Kind: protocol.NetworkAllowlist, Hosts: []string{"api.example.com", "*.example.org", "example.net:8443", "[::1]:80"}},
		})},
		{name: "id of another pack", register: tool(pack.Tool{ID: "other.x"}),
			problems: []string{`tool id "other.x" does not begin with the pack's: call it acme.NAME`}},
		{name: "id with a space", register: tool(pack.Tool{ID: "acme.look up"}),
			problems: []string{`tool id "acme.look up" is not dotted words of letters, digits, - and _, such as acme.lookup`}},
		{name: "id without a name", register: tool(pack.Tool{ID: "acme."}),
			problems: []string{`tool id "acme." is not dotted words of letters, digits, - and _, such as acme.lookup`}},
		{name: "version", register: tool(pack.Tool{Version: "v1.0.0"}),
			problems: []string{`tool acme.x: version "v1.0.0": "v1" is not a number`}},
		{name: "description", register: tool(pack.Tool{Description: "caf\xe9"}),
			problems: []string{`tool acme.x: Description is not UTF-8`}},
		{name: "unknown effect", register: tool(pack.Tool{Effects: []protocol.Effect{{Kind: "write"}, {Kind: "teleport"}, {}}}),
			problems: []string{
				`tool acme.x: Effects[0].Kind "write" is not known (did you mean "writes"?); it is reads, writes, deletes, network, spawns-run, emits-event, external-side-effect or sensitive-data-egress`,
				`tool acme.x: Effects[1].Kind "teleport" is not known; it is reads, writes, deletes, network, spawns-run, emits-event, external-side-effect or sensitive-data-egress`,
				`tool acme.x: Effects[2].Kind is empty; it is reads, writes, deletes, network, spawns-run, emits-event, external-side-effect or sensitive-data-egress`,
			}},
		{name: "read-only with every effect", register: tool(pack.Tool{ReadOnly: true, Effects: allEffects()}),
			problems: []string{
				`tool acme.x: it is ReadOnly, but Effects[1] is "writes"; drop ReadOnly when a call changes anything, else the effect`,
				`tool acme.x: it is ReadOnly, but Effects[2] is "deletes"; drop ReadOnly when a call changes anything, else the effect`,
				`tool acme.x: it is ReadOnly, but Effects[4] is "spawns-run"; drop ReadOnly when a call changes anything, else the effect`,
				`tool acme.x: it is ReadOnly, but Effects[5] is "emits-event"; drop ReadOnly when a call changes anything, else the effect`,
				`tool acme.x: it is ReadOnly, but Effects[6] is "external-side-effect"; drop ReadOnly when a call changes anything, else the effect`,
			}},
		{name: "reads, yet is not read-only", register: tool(pack.Tool{Effects: []protocol.Effect{{Kind: "reads"}, {Kind: "network"}}}),
			warnings: []string{`tool acme.x: its effects only read, but it is not ReadOnly, so a runtime may ask a person before its first use; set ReadOnly: true`}},
		{name: "needs", register: tool(pack.Tool{Needs: []protocol.Need{{Name: "mail"}, {}, {Name: "mail", Optional: true}}}),
			problems: []string{`tool acme.x: Needs[1] needs a Name`, `tool acme.x: Needs[2] is "mail", which Needs[0] is already`}},
		{name: "sandbox", register: tool(pack.Tool{Sandbox: "strickt"}),
			problems: []string{`tool acme.x: Sandbox "strickt" is not known (did you mean "strict"?); it is none, context-isolated or strict`}},
		{name: "network effect without network", register: tool(pack.Tool{
			Effects: []protocol.Effect{{Kind: "network"}, {Kind: "writes"}}, Network: &protocol.Network{Kind: "none"},
		}), problems: []string{`tool acme.x: Network is none, but the effect "network" says it uses the network; change one of them`}},
	})
}

func allEffects() []protocol.Effect {
	var effects []protocol.Effect
	for _, kind := range protocol.EffectKinds() {
		effects = append(effects, protocol.Effect{Kind: kind})
	}
	return effects
}

func TestLimits(t *testing.T) {
	t.Parallel()
	limits := func(mem, cpu int) func(*pack.Builder) {
		return tool(pack.Tool{Limits: &protocol.Limits{MemMB: mem, CPUMs: cpu}})
	}
	checkRegistrations(t, []registration{
		{name: "both", register: limits(1, 1)},
		{name: "none", register: limits(0, 0), problems: []string{`tool acme.x: Limits sets nothing: give MemMB and CPUMs, or leave Limits nil for no cap`}},
		{name: "memory alone", register: limits(64, 0), problems: []string{`tool acme.x: Limits has MemMB without CPUMs; a runtime takes both or none`}},
		{name: "time alone", register: limits(0, 100), problems: []string{`tool acme.x: Limits has CPUMs without MemMB; a runtime takes both or none`}},
		{name: "negative", register: limits(64, -1), problems: []string{`tool acme.x: Limits are 64 MiB and -1 ms: both must be positive`}},
	})
}

func TestNetwork(t *testing.T) {
	t.Parallel()
	network := func(kind protocol.NetworkKind, hosts ...string) func(*pack.Builder) {
		return tool(pack.Tool{Network: &protocol.Network{Kind: kind, Hosts: hosts}})
	}
	const known = "it is none, unrestricted or allowlist"
	checkRegistrations(t, []registration{
		{name: "none", register: network("none")},
		{name: "unrestricted", register: network("unrestricted")},
		{name: "no kind", register: network("", "a.example"), problems: []string{`tool acme.x: Network.Kind is empty; ` + known}},
		{name: "unknown kind", register: network("allow-list", "a.example"), problems: []string{`tool acme.x: Network.Kind "allow-list" is not known (did you mean "allowlist"?); ` + known}},
		{name: "hosts without an allowlist", register: network("unrestricted", "a.example"), problems: []string{`tool acme.x: Network.Hosts is for an allowlist, but Network.Kind is "unrestricted"`}},
		{name: "no hosts", register: network("allowlist"), problems: []string{`tool acme.x: Network is an allowlist without Hosts; for no network at all set Kind to "none"`}},
		{name: "bad hosts", register: network("allowlist", "https://a.example/v1", "a b", "", "a/b", "c.example", "c.example"), problems: []string{
			`tool acme.x: Network.Hosts[2] is empty`,
			`tool acme.x: Network.Hosts[5] is "c.example", which Network.Hosts[4] is already`,
			`tool acme.x: Network.Hosts[0] is a URL; write the host alone: "a.example"`,
			`tool acme.x: Network.Hosts[1] "a b" is not the name of a host, such as api.example.com`,
			`tool acme.x: Network.Hosts[3] "a/b" is not the name of a host, such as api.example.com`,
		}},
	})
}

func TestNeedsSpec(t *testing.T) {
	t.Parallel()
	needs := func(n protocol.NeedsSpec) func(*pack.Builder) { return tool(pack.Tool{NeedsSpec: &n}) }
	checkRegistrations(t, []registration{
		{name: "env names", register: needs(protocol.NeedsSpec{Env: schemas("A-B", `{}`, "KINDGI_X", `{}`, "GOOD_1", `{}`)}), problems: []string{
			`tool acme.x: NeedsSpec.Env: env name "A-B" is not letters, digits and _, the first not a digit`,
			`tool acme.x: NeedsSpec.Env: env name "KINDGI_X": names that begin with KINDGI_ belong to the service and need no declaration`,
		}},
		{name: "no schema", register: needs(protocol.NeedsSpec{Secrets: schemas("key", "", "", "{}")}), problems: []string{
			`tool acme.x: NeedsSpec.Secrets has a value without a name`,
			`tool acme.x: NeedsSpec.Secrets["key"] has no schema; {"type":"string"} admits every text`,
		}},
		{name: "default that does not fit", register: needs(protocol.NeedsSpec{Env: schemas("A", `{"type":"string","minLength":3,"default":"eu"}`)}), problems: []string{
			`tool acme.x: NeedsSpec.Env["A"]: its default does not fit: must NOT have fewer than 3 characters`,
		}},
		{name: "lists", register: needs(protocol.NeedsSpec{Capabilities: []string{"a", "a"}, Bindings: []string{""}}), problems: []string{
			`tool acme.x: NeedsSpec.Capabilities[1] is "a", which NeedsSpec.Capabilities[0] is already`,
			`tool acme.x: NeedsSpec.Bindings[0] is empty`,
		}},
		{name: "connections", register: needs(protocol.NeedsSpec{Connections: map[string]*protocol.Connection{
			"": {As: "person"}, "cal": nil, "disk": {}, "mail": {As: "persons"},
		}}), problems: []string{
			`tool acme.x: NeedsSpec.Connections has a connection without a name`,
			`tool acme.x: NeedsSpec.Connections["cal"] is nil; give a &protocol.Connection`,
			`tool acme.x: NeedsSpec.Connections["disk"].As is empty; it is person or company`,
			`tool acme.x: NeedsSpec.Connections["mail"].As "persons" is not known (did you mean "person"?); it is person or company`,
		}},
	})
	// What the schema package says of a schema is its own; that it is asked is tested here.
	for name, document := range map[string]string{
		"not JSON": `{"type":`, "not a schema": `{"type":"text"}`, "twice a member": `{"type":"string","type":"string"}`,
		"an unknown keyword": `{"type":"string","minLenght":1}`, "a keyword without its type": `{"minLength":1}`, "an unknown format": `{"type":"string","format":"colour"}`,
		"a default beyond float64": `{"type":"number","default":1e999}`,
	} {
		b := pack.New("acme", "1.0.0")
		needs(protocol.NeedsSpec{Config: schemas("c", document)})(b)
		_, err := b.Index(pack.Pins{})
		if want := `tool acme.x: NeedsSpec.Config["c"]: `; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want one with %q", name, err, want)
		}
	}
}

// TestCanonicalEntry refuses raw JSON that no index can hold.
func TestCanonicalEntry(t *testing.T) {
	t.Parallel()
	for name, raw := range map[string]string{
		"not JSON": `{`, "a number beyond float64": `1e999`, "a lone surrogate": `"\ud800"`, "a member twice": `{"a":1,"a":2}`,
	} {
		open := map[string]jsontext.Value{"vendor": jsontext.Value(raw)}
		for kind, register := range map[string]func(*pack.Builder){
			"tool acme.x": tool(pack.Tool{Effects: []protocol.Effect{{Kind: "writes", Unknown: open}}}),
			"check acme.x": func(b *pack.Builder) {
				pack.AddCheck(b, pack.Check{ID: "acme.x", OnViolation: "halt", Scope: &protocol.Scope{When: "always", Unknown: open}}, pass)
			},
			"agent acme.x": func(b *pack.Builder) {
				b.AddAgent(protocol.Agent{ID: "acme.x", Name: "X", Instructions: protocol.Instructions{Text: "Do."}, Settings: jsontext.Value(raw)})
			},
			"flow acme.x": func(b *pack.Builder) { f := line("acme.x"); f.Metadata = jsontext.Value(raw); b.AddFlow(f) },
		} {
			b := pack.New("acme", "1.0.0")
			tool(pack.Tool{ID: "acme.step"})(b)
			register(b)
			_, err := b.Index(pack.Pins{})
			if want := kind + ": its entry of the index cannot be written: "; err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s in %s: the error is %v, want one with %q", name, kind, err, want)
			}
		}
	}
}

// TestConcurrentRegistration lets registration, indexing and serving go on at once.
func TestConcurrentRegistration(t *testing.T) {
	t.Parallel()
	b := pack.New("acme", "1.0.0")
	done := make(chan error)
	const each = 8
	for i := range each {
		go func() {
			pack.AddTool(b, pack.Tool{ID: fmt.Sprintf("acme.t%d", i)}, func(context.Context, word) (word, error) { return word{}, nil })
			_, err := b.Index(pack.Pins{})
			b.Warnings()
			done <- err
		}()
	}
	for range each {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	x, err := b.Index(pack.Pins{})
	if err != nil || len(x.Tools) != each {
		t.Errorf("the index has %d tools, %v", len(x.Tools), err)
	}
}
