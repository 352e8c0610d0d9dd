package pack

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/protocol"
)

// runSchema is the command schema: the schema of a tool or a check, pretty.
func runSchema(_ context.Context, b *Builder, args []string, p program) int {
	f := newFlags(p, help{command: "schema", arguments: "ID", summary: "Print a tool's input schema, or a check's configuration schema."})
	output := f.Bool("output", false, "print the tool's output schema")
	config := f.Bool("config", false, "print the check's configuration schema")
	version := f.String("version", "", "the tool's `VERSION`, when the pack has several")
	rest, code, ok := parseArgs(f, args, p, 1)
	switch {
	case !ok:
		return code
	case len(rest) > 1:
		return wrongUsage(f, p, "it takes one id, got %q too", rest[1])
	case *output && *config:
		return wrongUsage(f, p, "it prints one of --output and --config")
	}
	x, err := b.Index(Pins{})
	if err != nil {
		return failed(p, "schema", err)
	}
	document, err := findSchema(x, rest[0], *version, *output, *config)
	if err != nil {
		return misused(p, "schema", err)
	}
	if err := document.Indent(jsontext.WithIndent("  ")); err != nil {
		return failed(p, "schema", err)
	}
	_, _ = fmt.Fprintf(p.stdout, "%s\n", document)
	return exitOK
}

// findSchema finds the schema that the command's arguments name.
func findSchema(x *protocol.Index, id, version string, output, config bool) (jsontext.Value, error) {
	var tools []protocol.IndexTool
	for _, t := range x.Tools {
		if t.ID == id && (version == "" || t.Version == version) {
			tools = append(tools, t)
		}
	}
	switch {
	case config && len(tools) > 0:
		return nil, fmt.Errorf("%q is a tool: it has an input and an output schema", id)
	case config:
	case len(tools) > 1:
		versions := make([]string, len(tools))
		for i, t := range tools {
			versions[i] = t.Version
		}
		return nil, fmt.Errorf("tool %q has several versions; name one with --version: %s", id, orList(versions))
	case len(tools) == 1 && output:
		return tools[0].Output.Clone(), nil
	case len(tools) == 1:
		return tools[0].Input.Clone(), nil
	case version != "":
		return nil, fmt.Errorf("the pack has no tool %q %s; list shows what it has", id, version)
	}
	for _, g := range x.Guardrails {
		if id != g.Check() && id != g.ID {
			continue
		}
		if output {
			return nil, fmt.Errorf("%q is a check: it has no output schema", id)
		}
		if len(g.ConfigSchema) == 0 {
			return nil, fmt.Errorf("check %q takes no configuration", id)
		}
		return g.ConfigSchema.Clone(), nil
	}
	if slices.ContainsFunc(x.Agents, func(a protocol.Agent) bool { return a.ID == id }) || slices.ContainsFunc(x.Flows, func(f protocol.Flow) bool { return f.ID == id }) {
		return nil, fmt.Errorf("%q is an agent or a flow: schema shows what tools and checks have", id)
	}
	return nil, fmt.Errorf("the pack has no tool or check %q%s; list shows what it has", id, suggestion(id, idsOf(x)))
}

// idsOf lists what a command can be told to look at.
func idsOf(x *protocol.Index) []string {
	var ids []string
	for _, r := range rows(x) {
		ids = append(ids, r.ID)
		if r.Guardrail != "" {
			ids = append(ids, r.Guardrail)
		}
	}
	return ids
}
