//go:build linux

package main

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// A report says what a run measured.
type report struct {
	config        config
	results       results
	others, steal float64
}

const usual = "1KB" // the size most tables are about

func (r report) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Measured on %s.\n", machine())
	fmt.Fprintf(&b, "%d rounds in random order, loads of %v; the server on processor %d alone, the client on %d.\n",
		r.config.rounds, r.config.duration, r.config.server.cpu, r.config.client.cpu)
	if r.config.server.urgent {
		b.WriteString("Both took their processors from all other programs (real-time scheduling) while they were measured.\n")
	}
	b.WriteString(r.noise())
	b.WriteString("\nA number is the median of the rounds, ± how far it may be off (the 95 % interval of the median; all\n" +
		"rounds when there are fewer than six). × is the ratio to bare, taken round by round; a ? after it means that\n" +
		"the spread is wider than the difference to 1, so that nothing can be concluded.\n")
	for _, t := range r.tables() {
		b.WriteString("\n" + t.title + "\n\n")
		t.write(&b)
	}
	return b.String()
}

// noise says what the run is worth.
func (r report) noise() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Other programs took %.1f %% of the machine meanwhile, its host %.1f %%.", r.others*100, r.steal*100)
	if again := r.results.ratio(throughput.of(usual), "bare again", baseline); again.n > 0 {
		fmt.Fprintf(&b, " The same program measured twice differs from itself by %.1f %% ±%.1f %% in calls per second.",
			math.Abs(again.median-1)*100, again.spread()*100)
	}
	if r.others+r.steal > 0.05 && !r.config.server.urgent {
		b.WriteString("\nThat is not a quiet machine: take these numbers as a hint.")
	}
	if r.config.rounds < 6 {
		b.WriteString("\nFewer than six rounds: the spread is not sound.")
	}
	for _, p := range r.config.programs {
		if busy := r.results.value(clientBusy.of(usual), p.name).median; busy > 0.9 {
			fmt.Fprintf(&b, "\nThe client was %.0f %% busy calling %s, which may be faster than it shows here.", busy*100, p.name)
		}
	}
	return b.String() + "\n"
}

type table struct {
	title string
	head  []string
	rows  [][]string
}

func (t table) write(b *strings.Builder) {
	width := make([]int, len(t.head))
	for _, row := range append([][]string{t.head}, t.rows...) {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	line := func(row []string) {
		for i, cell := range row {
			space := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				cell += space
			} else {
				cell = space + cell
			}
			b.WriteString("| " + cell + " ")
		}
		b.WriteString("|\n")
	}
	line(t.head)
	for i, w := range width {
		rule := strings.Repeat("-", w+2)
		if i > 0 {
			rule = rule[1:] + ":"
		}
		b.WriteString("|" + rule)
	}
	b.WriteString("|\n")
	for _, row := range t.rows {
		line(row)
	}
}

func (r report) tables() []table {
	var all []table
	add := func(t table, cell func(p program) []string) {
		for _, p := range r.config.programs {
			if cells := cell(p); cells != nil {
				t.rows = append(t.rows, append([]string{p.name}, cells...))
			}
		}
		if len(t.rows) > 0 {
			all = append(all, t)
		}
	}
	add(table{
		title: "Over HTTP, 1 KB in and 90 bytes out, 16 calls at once:",
		head:  []string{"program", "calls/s", "×", "p50 µs", "×", "p99 µs", "×", "CPU µs/call", "×"},
	}, func(p program) []string {
		return r.cells(p,
			column{throughput.of(usual), 1, "%.0f"}, column{p50.of(usual), 1e6, "%.0f"},
			column{p99.of(usual), 1e6, "%.0f"}, column{cpu.of(usual), 1e6, "%.1f"})
	})
	sized := table{title: "Over HTTP, calls a second by the size of the request:", head: []string{"program"}}
	var columns []column
	for _, s := range r.config.sizes {
		sized.head = append(sized.head, s.Name, "×")
		columns = append(columns, column{throughput.of(s.Name), 1, "%.5g"})
	}
	add(sized, func(p program) []string { return r.cells(p, columns...) })
	inside := table{title: "In one process, without a network (time, allocations and bytes of a call):", head: []string{"program"}}
	columns = nil
	for _, s := range r.config.sizes {
		inside.head = append(inside.head, s.Name+" µs", "×", "allocs", "KiB")
		columns = append(columns, column{inProcess.of(s.Name), 1e-3, "%.4g"}, column{allocs.of(s.Name), 1, "!%.0f"},
			column{allocBytes.of(s.Name), 1.0 / 1024, "!%.4g"})
	}
	add(inside, func(p program) []string { return r.cells(p, columns...) })
	add(table{
		title: "Memory (the most a process held, answering one call of 10 MiB and sixteen at once), start to\n" +
			"first answer, size of the binary:",
		head: []string{"program", "1 body MiB", "×", "16 bodies MiB", "×", "10 tools ms", "×", "1,000 tools ms", "binary MiB"},
	}, func(p program) []string {
		return r.cells(p, column{memoryOne, 1.0 / (1 << 20), "%.0f"}, column{memoryMany, 1.0 / (1 << 20), "%.0f"},
			column{startFew, 1e3, "%.1f"}, column{startMany, 1e3, "!%.0f"}, column{binarySize, 1.0 / (1 << 20), "!%.1f"})
	})
	if t := r.targets(); len(t.rows) > 0 {
		all = append(all, t)
	}
	return all
}

// A column shows a measure in a unit. A format that begins with ! has no ratio beside it.
type column struct {
	measure measure
	scale   float64
	format  string
}

// cells gives a row's cells, or nil when nothing was measured of the program.
func (r report) cells(p program, columns ...column) []string {
	var cells []string
	measured := false
	for _, c := range columns {
		format, bare := strings.CutPrefix(c.format, "!")
		v := r.results.value(c.measure, p.name)
		if v.n == 0 {
			cells = append(cells, "")
		} else {
			measured = true
			cells = append(cells, fmt.Sprintf(format, v.median*c.scale))
		}
		if bare {
			continue
		}
		if v.n == 0 || p.name == baseline {
			cells = append(cells, "")
		} else {
			cells = append(cells, ratioText(r.results.ratio(c.measure, p.name, baseline)))
		}
	}
	if !measured {
		return nil
	}
	return cells
}

func ratioText(e estimate) string {
	mark := ""
	if !e.decides(1) {
		mark = " ?"
	}
	return fmt.Sprintf("%.2f ±%.2f%s", e.median, e.spread(), mark)
}
