package pack

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/kindgi/kindgi-go/protocol"
)

// listed is one row of the command list.
type listed struct {
	Kind        string   `json:"kind"` // tool or check
	ID          string   `json:"id"`   // a check's is the one a runtime calls
	Guardrail   string   `json:"guardrail,omitzero"`
	Version     string   `json:"version,omitzero"`
	ReadOnly    bool     `json:"readOnly"`
	Effects     []string `json:"effects"`
	Description string   `json:"description,omitzero"`
}

// runList is the command list: the pack's tools and checks.
func runList(_ context.Context, b *Builder, args []string, p program) int {
	f := newFlags(p, help{command: "list", summary: "List the pack's tools, and its checks with their guardrails."})
	asJSON := f.Bool("json", false, "print one line of JSON")
	if rest, code, ok := parseArgs(f, args, p, 0); !ok {
		return code
	} else if len(rest) > 0 {
		return wrongUsage(f, p, "it takes no arguments, got %q", rest[0])
	}
	x, err := b.Index(Pins{})
	if err != nil {
		return failed(p, "list", err)
	}
	warn(b, p)
	rows := rows(x)
	if *asJSON {
		printLine(p, rows)
		return exitOK
	}
	table := tabwriter.NewWriter(p.stdout, 0, 4, 2, ' ', 0)
	guardrail := func(cell string) string {
		if len(x.Guardrails) == 0 {
			return "" // a column less
		}
		return cell + "\t"
	}
	_, _ = fmt.Fprintf(table, "KIND\tID\t%sVERSION\tREAD-ONLY\tEFFECTS\tDESCRIPTION\n", guardrail("GUARDRAIL"))
	for _, r := range rows {
		readOnly := ""
		if r.Kind == targetTool {
			readOnly = map[bool]string{true: "yes", false: "no"}[r.ReadOnly]
		}
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s%s\t%s\t%s\t%s\n", r.Kind, r.ID, guardrail(cmp.Or(r.Guardrail, "-")),
			cmp.Or(r.Version, "-"), cmp.Or(readOnly, "-"), cmp.Or(strings.Join(r.Effects, ","), "-"), cmp.Or(firstLine(r.Description), "-"))
	}
	_ = table.Flush() // a closed standard output is the reader's choice
	return exitOK
}

// rows lists an index's tools and checks: a row for each version of a tool, and one for each
// guardrail, for several may share a check.
func rows(x *protocol.Index) []listed {
	rows := []listed{}
	for _, t := range x.Tools {
		row := listed{Kind: targetTool, ID: t.ID, Version: t.Version, Description: t.Description, Effects: []string{}}
		row.ReadOnly = t.Mutating != nil && !*t.Mutating
		for _, e := range t.Effects {
			row.Effects = append(row.Effects, string(e.Kind))
		}
		rows = append(rows, row)
	}
	checks := len(rows)
	for _, g := range x.Guardrails {
		rows = append(rows, listed{Kind: targetCheck, ID: g.Check(), Guardrail: g.ID, ReadOnly: true, Effects: []string{}, Description: g.Name})
	}
	slices.SortStableFunc(rows[checks:], func(a, b listed) int { return cmp.Compare(a.ID, b.ID) })
	return rows
}

// longestDescription is how many characters of a description the table shows; --json has all.
const longestDescription = 120

// firstLine shortens a description to what fits a table's row.
func firstLine(text string) string {
	line, _, more := strings.Cut(strings.TrimSpace(text), "\n")
	if more {
		line += " …"
	}
	return shortened(printable(line), longestDescription)
}
