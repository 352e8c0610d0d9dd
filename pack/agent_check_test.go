package pack_test

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

// agentOf makes an agent that has all it needs.
func agentOf(id string) protocol.Agent {
	return protocol.Agent{ID: id, Version: "1.0.0", Name: "Clerk", Instructions: protocol.Instructions{Text: "Help."}}
}

func TestAgents(t *testing.T) {
	t.Parallel()
	agent := func(edit func(*protocol.Agent)) func(*pack.Builder) {
		return func(b *pack.Builder) {
			tool(pack.Tool{ID: "acme.lookup"})(b)
			tool(pack.Tool{ID: "acme.refund", Version: "1.0.0"})(b)
			tool(pack.Tool{ID: "acme.refund", Version: "2.0.0"})(b)
			guardrail(pack.Check{ID: "acme.polite", CheckID: "acme.checks.polite", OnViolation: pack.Halt})(b)
			a := agentOf("acme.clerk")
			edit(&a)
			b.AddAgent(a)
		}
	}
	checkRegistrations(t, []registration{
		{name: "everything", register: agent(func(a *protocol.Agent) {
			a.Capabilities, a.Tags = []string{"talk"}, []string{"desk"}
			a.Tools = []protocol.ToolRef{{ID: "acme.lookup", Version: "1.0.0"}, {ID: "acme.refund", Version: "2.0.0"}, {ID: "other.mail", Version: "0.1.0"}}
			a.Guardrails = []string{"acme.polite", "other.safe", "plain"}
			a.Settings, a.Budget = jsontext.Value(`["style"]`), jsontext.Value(`{"usd":1.5}`)
			a.Unknown = map[string]jsontext.Value{"vendor": jsontext.Value(`true`)}
		})},
		{name: "version and module path of its own", register: agent(func(a *protocol.Agent) { a.Version, a.ModulePath = "", "agents/clerk.go" })},
		{name: "a prompt", register: agent(func(a *protocol.Agent) { a.Instructions = protocol.Instructions{Prompt: "clerk", Version: "3"} })},
		{name: "ids", register: agent(func(a *protocol.Agent) { a.ID, a.Version, a.Name = "clerk", "1", "" }), problems: []string{
			`agent clerk: its id does not begin with the pack's: call it acme.NAME`,
			`agent clerk: version "1" is not MAJOR.MINOR.PATCH`,
			`agent clerk: it needs a Name for people`,
		}},
		{name: "id that is not words", register: agent(func(a *protocol.Agent) { a.ID = "acme.a b" }),
			problems: []string{`agent acme.a b: its id "acme.a b" is not dotted words of letters, digits, - and _`}},
		{name: "module path", register: agent(func(a *protocol.Agent) { a.ModulePath = "./agents/clerk.go" }),
			problems: []string{`agent acme.clerk: ModulePath "./agents/clerk.go" is not a file's path below the pack's root, with forward slashes; leave it empty for the file of this call`}},
		{name: "no instructions", register: agent(func(a *protocol.Agent) { a.Instructions = protocol.Instructions{} }),
			problems: []string{`agent acme.clerk: it needs Instructions: a Text, or a Prompt and its Version`}},
		{name: "two instructions", register: agent(func(a *protocol.Agent) { a.Instructions.Prompt = "clerk" }),
			problems: []string{`agent acme.clerk: Instructions has a Text and a Prompt; give one of them`}},
		{name: "prompt without a version", register: agent(func(a *protocol.Agent) { a.Instructions = protocol.Instructions{Prompt: "clerk"} }),
			problems: []string{`agent acme.clerk: Instructions needs both a Prompt and its Version`}},
		{name: "tools", register: agent(func(a *protocol.Agent) {
			a.Tools = []protocol.ToolRef{{ID: "acme.lokup", Version: "1.0.0"}, {ID: "acme.lookup", Version: "1.0.1"}, {ID: "acme.refund"}, {},
				{ID: "other.mail"}, {ID: "acme.lookup", Version: "1.0.0"}, {ID: "acme.sub.tool", Version: "1.0.0"}}
		}), problems: []string{
			`agent acme.clerk: Tools[0] names "acme.lokup", and this pack has no such tool (did you mean "acme.lookup"?)`,
			`agent acme.clerk: Tools[1] names acme.lookup 1.0.1, but this pack has it as 1.0.0`,
			`agent acme.clerk: Tools[2] needs a Version: acme.refund is 1.0.0 or 2.0.0 here`,
			`agent acme.clerk: Tools[3] needs an ID`,
			`agent acme.clerk: Tools[4] (other.mail): version "" is not MAJOR.MINOR.PATCH`,
			`agent acme.clerk: Tools[5] is acme.lookup, which Tools[1] is already; an agent has one version of a tool`,
		}, warnings: []string{`agent acme.clerk: Tools[6] names "acme.sub.tool", and this pack has no such tool`}},
		{name: "guardrails", register: agent(func(a *protocol.Agent) {
			a.Guardrails = []string{"acme.checks.polite", "acme.pollite", "", "plain", "plain"}
		}), problems: []string{
			`agent acme.clerk: Guardrails[2] is empty`,
			`agent acme.clerk: Guardrails[4] is "plain", which Guardrails[3] is already`,
			`agent acme.clerk: Guardrails[0] names "acme.checks.polite", which is the id of a check; name the guardrail, "acme.polite"`,
			`agent acme.clerk: Guardrails[1] names "acme.pollite", and this pack has no such guardrail (did you mean "acme.polite"?)`,
		}},
	})
}

// TestAgentBeforeItsTools lets an agent be registered before what it names.
func TestAgentBeforeItsTools(t *testing.T) {
	t.Parallel()
	b := pack.New("acme", "1.4.0")
	a := agentOf("acme.clerk")
	a.Version = ""
	a.Tools = []protocol.ToolRef{{ID: "acme.lookup", Version: "1.4.0"}}
	b.AddAgent(a)
	tool(pack.Tool{ID: "acme.lookup"})(b)
	x, err := b.Index(pack.Pins{ArtifactVersion: "1"})
	if err != nil {
		t.Fatal(err)
	}
	if got := x.Agents[0]; got.Version != "1.4.0" || got.ModulePath != "pack/agent_check_test.go" {
		t.Errorf("the agent's version is %q and its module path %q", got.Version, got.ModulePath)
	}
}
