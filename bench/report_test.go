//go:build linux

package main

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func someResults(noise float64) report {
	r := results{}
	for i := range 7 {
		wobble := 1 + noise*float64(i%3-1)
		r.add(throughput.of(usual), baseline, 20_000)
		r.add(throughput.of(usual), "huma", 14_000*wobble)
		r.add(throughput.of(usual), ours, 24_000*wobble)
		r.add(allocs.of(usual), ours, 25)
		r.add(allocs.of(usual), baseline, 60)
	}
	chosen := []program{{name: baseline}, {name: "huma"}, {name: ours}}
	return report{config: config{rounds: 7, programs: chosen}, results: r}
}

func TestReport(t *testing.T) {
	t.Parallel()
	text := someResults(0.01).text()
	for _, want := range []string{"20000", "1.20 ±0.01 ", "0.70 ±0.01 ", "calls/s at 1 KB, × bare", "met"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	if strings.Contains(text, " ? |") {
		t.Errorf("a quiet run allows a conclusion:\n%s", text)
	}
}

func TestReportRefusesToConcludeFromANoisyRun(t *testing.T) {
	t.Parallel()
	text := someResults(0.4).text()
	for _, want := range []string{"1.20 ±0.48 ? |", "0.70 ±0.28 ", "too close to call"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	rep := someResults(0)
	rep.others = 0.3
	if text := rep.text(); !strings.Contains(text, "not a quiet machine") {
		t.Errorf("does not say that others were at work:\n%s", text)
	}
}

func TestChartIsXMLAndShowsEveryProgram(t *testing.T) {
	t.Parallel()
	chart := someResults(0.01).chart()
	d := xml.NewDecoder(strings.NewReader(chart))
	var names int
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok {
			switch string(text) {
			case baseline, "huma", ours:
				names++
			}
		}
	}
	if names != 3 {
		t.Errorf("%d programs, want 3:\n%s", names, chart)
	}
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		atLeast bool
		limit   float64
		e       estimate
		want    string
	}{
		{true, 1.15, estimate{1.3, 1.25, 1.35, 9}, "met"},
		{true, 1.15, estimate{1.0, 0.95, 1.05, 9}, "missed"},
		{true, 1.15, estimate{1.17, 1.1, 1.25, 9}, "too close to call"},
		{false, 0.6, estimate{0.5, 0.48, 0.52, 9}, "met"},
		{false, 0.6, estimate{0.7, 0.68, 0.72, 9}, "missed"},
		{false, 30, estimate{30, 30, 30, 9}, "met"},
		{true, 30, estimate{30, 30, 30, 9}, "met"},
		{false, 30, estimate{31, 31, 31, 9}, "missed"},
	} {
		if got := (target{atLeast: test.atLeast, limit: test.limit}).verdict(test.e); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
}

func TestParseBenchmarks(t *testing.T) {
	t.Parallel()
	got := parseBenchmarks("goos: linux\nBenchmarkCall/1KB/bare \t   18132\t     33200 ns/op\t  38.74 MB/s\t    5104 B/op\t      60 allocs/op\nPASS\n")
	if len(got) != 1 || got[0]["ns/op"] != 33200 || got[0]["allocs/op"] != 60 || got[0]["B/op"] != 5104 {
		t.Errorf("got %v", got)
	}
}

func TestAnswersAreReadWhole(t *testing.T) {
	t.Parallel()
	whole := "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Length: 5\r\n\r\nhello"
	for n := range len(whole) {
		if _, ok, err := answer([]byte(whole[:n])); ok || err != nil {
			t.Fatalf("%q: %v, %v", whole[:n], ok, err)
		}
	}
	if content, ok, err := answer([]byte(whole)); string(content) != "hello" || !ok || err != nil {
		t.Errorf("%q, %v, %v", content, ok, err)
	}
	for _, bad := range []string{
		"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 2\r\n\r\n{}",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}",
	} {
		if _, _, err := answer([]byte(bad)); err == nil {
			t.Errorf("taken: %q", bad)
		}
	}
}
