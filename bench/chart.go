//go:build linux

package main

import (
	"fmt"
	"html"
	"strings"
)

// The chart's measures, in pixels.
const (
	chartWidth  = 760
	labelWidth  = 150
	valueWidth  = 130
	barHeight   = 16
	rowHeight   = 24
	panelHeader = 46
)

// A panel is one measure, a bar for each program.
type panel struct {
	title   string
	better  string
	measure measure
}

// chart draws what matters most: SVG, for a page. A line across the end of a bar is its spread.
func (r report) chart() string {
	panels := []panel{
		{"Calls a second, 1 KB", "longer is better", throughput.of(usual)},
		{"Calls a second, 100 KB", "longer is better", throughput.of("100KB")},
		{"99th percentile of latency, 1 KB", "shorter is better", p99.of(usual)},
		{"Peak memory, sixteen bodies of 10 MiB", "shorter is better", memoryMany},
	}
	var body strings.Builder
	y := 0
	for _, p := range panels {
		y = r.panel(&body, p, y)
	}
	y += 30
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="system-ui, sans-serif" font-size="13">`+"\n",
		chartWidth, y)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", chartWidth, y)
	b.WriteString(body.String())
	fmt.Fprintf(&b, `<text x="12" y="%d" fill="#666" font-size="11">Ratio to bare, the median of %d rounds; the black line is the spread. %s</text>`+"\n",
		y-12, r.config.rounds, html.EscapeString(machine()))
	b.WriteString("</svg>\n")
	return b.String()
}

func (r report) panel(b *strings.Builder, p panel, y int) int {
	type bar struct {
		name string
		estimate
	}
	var bars []bar
	longest := 0.0
	for _, prog := range r.config.programs {
		if prog.name == "bare again" {
			continue
		}
		if e := r.results.ratio(p.measure, prog.name, baseline); e.n > 0 {
			bars = append(bars, bar{prog.name, e})
			longest = max(longest, e.high)
		}
	}
	if len(bars) < 2 {
		return y
	}
	fmt.Fprintf(b, `<text x="12" y="%d" font-weight="600">%s</text><text x="%d" y="%d" text-anchor="end" fill="#666">%s</text>`+"\n",
		y+30, html.EscapeString(p.title), chartWidth-12, y+30, p.better)
	y += panelHeader
	scale := (chartWidth - labelWidth - valueWidth) / longest
	x := func(v float64) float64 { return labelWidth + v*scale }
	for _, bar := range bars {
		color := "#b8c2cc"
		switch bar.name {
		case ours:
			color = "#1f6feb"
		case baseline:
			color = "#57606a"
		}
		middle := y + barHeight/2
		fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="end">%s</text>`, labelWidth-8, middle+5, html.EscapeString(bar.name))
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/>`, labelWidth, y, bar.median*scale, barHeight, color)
		if bar.name != baseline {
			fmt.Fprintf(b, `<path d="M%.1f %dH%.1f" stroke="#000" stroke-width="1.5"/>`, x(bar.low), middle, x(bar.high))
		}
		fmt.Fprintf(b, `<text x="%.1f" y="%d">%.2f</text>`+"\n", x(bar.high)+8, middle+5, bar.median)
		y += rowHeight
	}
	fmt.Fprintf(b, `<path d="M%.1f %dV%d" stroke="#57606a" stroke-dasharray="3 3"/>`+"\n", x(1), y-len(bars)*rowHeight-4, y-4)
	return y
}
