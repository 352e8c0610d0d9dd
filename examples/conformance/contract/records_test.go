package contract_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
)

var (
	timestamp = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)
	first     = []string{"time", "level", "severity", "subsystem", "message"}
	ids       = []string{"traceId", "spanId", "runTraceId", "requestId", "tenantId", "projectId", "orgId", "runId", "parentRunId",
		"agentId", "agentVersion", "flowId", "flowVersion", "toolId", "conversationId", "approvalId"}
	severities = map[string]string{"error": "ERROR", "warn": "WARNING", "info": "INFO", "debug": "DEBUG", "trace": "DEBUG"}
)

// wellFormed asserts what every record keeps: its first five fields, then the known ids in
// their order, then what the event adds.
func wellFormed(t testing.TB, r record) {
	t.Helper()
	if len(r.names) < 5 || !slices.Equal(r.names[:5], first) {
		t.Errorf("the first fields are not %q: %s", first, r.line)
		return
	}
	if !timestamp.MatchString(r.text("time")) {
		t.Errorf("time %q: %s", r.text("time"), r.line)
	}
	if want, known := severities[r.text("level")]; !known || r.text("severity") != want {
		t.Errorf("level %q, severity %q: %s", r.text("level"), r.text("severity"), r.line)
	}
	position, past := -1, false
	for _, name := range r.names[5:] {
		i := slices.Index(ids, name)
		if i < 0 {
			past = true
			continue
		}
		if past || i < position {
			t.Errorf("%s is not where ids are: %s", name, r.line)
		}
		position = i
	}
	sorted := slices.Clone(r.names)
	slices.Sort(sorted)
	if unique := slices.Compact(sorted); len(unique) != len(r.names) {
		t.Errorf("a field twice: %s", r.line)
	}
}

// Every line of a service's own is a well-formed record, and the lifecycle's have the kind
// and the event in them.
func TestRecordsAreWellFormed(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{env: map[string]string{"DROPPED": "x", "KINDGI_LOG_LEVEL": "trace"}})
	svc.call(t, "conformance.echo", `{"message":"hi"}`)
	svc.call(t, "conformance.throws", `{}`)
	svc.evaluate(t, "conformance.checks.throws", `{}`, `"x"`)
	svc.invoke(t, `{`)
	svc.invoke(t, `{}`, "kindgi-pack-token", "wrong")
	svc.do(t, "GET", "/nowhere", nil)
	svc.signal(t, syscall.SIGTERM)
	svc.stopped(t)
	kinds := []string{}
	for _, line := range svc.stderr.all() {
		r, ok := parseRecord(line)
		if !ok {
			t.Errorf("not a record: %s", line)
			continue
		}
		wellFormed(t, r)
		if r.text("kind") != r.text("event") {
			t.Errorf("kind %q, event %q", r.text("kind"), r.text("event"))
		}
		if r.text("kind") != "" && r.text("subsystem") != "pack" {
			t.Errorf("subsystem %q: %s", r.text("subsystem"), line)
		}
		kinds = append(kinds, r.text("kind"))
	}
	for _, want := range []string{"env-dropped", "listening", "call", "draining", "stopped"} {
		if !slices.Contains(kinds, want) {
			t.Errorf("no record of kind %s: %q", want, kinds)
		}
	}
}

// The records of the process's life are written whatever the level.
func TestLifecycleWhateverTheLevel(t *testing.T) {
	t.Parallel()
	for _, level := range []string{"error", "warn"} {
		t.Run(level, func(t *testing.T) {
			t.Parallel()
			svc := start(t, setup{
				args: []string{"--host", "127.0.0.1", "--index", requiring(t)},
				env:  map[string]string{"KINDGI_LOG_LEVEL": level, "KINDGI_PACK_ENV_CHECK": "warn", "DROPPED": "x"},
			})
			svc.call(t, "conformance.echo", `{"message":"hi"}`)
			svc.call(t, "conformance.throws", `{}`)
			svc.signal(t, syscall.SIGTERM)
			svc.stopped(t)
			for _, kind := range []string{"env-dropped", "missing-env", "listening", "draining", "stopped"} {
				if n := len(svc.records(kind)); n != 1 {
					t.Errorf("%d records of kind %s, want 1", n, kind)
				}
			}
			want := 1 // the call that failed, a warning
			if level == "error" {
				want = 0
			}
			if n := len(svc.records("call")); n != want {
				t.Errorf("%d call records at level %s, want %d", n, level, want)
			}
		})
	}
}

const sentTrace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

// The record of a call: its fields, their order, its ids, its message and its level.
func TestCallRecord(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	ctx := `{"runId":"run-7","orgId":"org-7","tenantId":"tenant-7","projectId":"project-7","requestId":%q,"idempotencyKey":"f6c8a374-b63c-5453-8320-1ca9c067447a"}`
	for id, c := range map[string]struct{ tool, input, outcome string }{
		"ok":      {"conformance.echo", `{"message":"canary in the input"}`, "ok"},
		"refused": {"conformance.echo", `{"message":7}`, "input-validation-failed"},
		"threw":   {"conformance.throws", `{}`, "handler-throw"},
		"output":  {"conformance.bad-output", `{}`, "output-validation-failed"},
		"unknown": {"conformance.nope", `{}`, "tool-not-in-pack"},
	} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			svc.invoke(t, toolMessage(fmt.Sprintf(`{"id":%q}`, c.tool), c.input, fmt.Sprintf(ctx, id)), "traceparent", sentTrace)
			r := svc.callRecord(t, id)
			wellFormed(t, r)
			wantNames := []string{"time", "level", "severity", "subsystem", "message", "traceId", "spanId", "requestId", "tenantId", "projectId",
				"orgId", "runId", "toolId", "kind", "event", "target", "id", "outcome", "durationMs"}
			if got := r.names[:min(len(r.names), len(wantNames))]; !slices.Equal(got, wantNames) {
				t.Errorf("fields\ngot  %q\nwant %q", got, wantNames)
			}
			level := "warn"
			if c.outcome == "ok" {
				level = "info"
			}
			for name, want := range map[string]string{
				"level": level, "severity": severities[level], "subsystem": "pack", "kind": "call", "event": "call", "target": "tool", "id": c.tool,
				"outcome": c.outcome, "toolId": c.tool, "tenantId": "tenant-7", "runId": "run-7", "projectId": "project-7", "orgId": "org-7",
				"traceId": "0af7651916cd43dd8448eb211c80319c",
			} {
				if got := r.text(name); got != want {
					t.Errorf("%s %q, want %q", name, got, want)
				}
			}
			span := r.text("spanId")
			if !regexp.MustCompile(`^[0-9a-f]{16}$`).MatchString(span) || span == "b7ad6b7169203331" || span == "0000000000000000" {
				t.Errorf("spanId %q is not a fresh one", span)
			}
			duration, ok := r.fields["durationMs"].(json.Number)
			if _, err := duration.Float64(); !ok || err != nil || strings.HasPrefix(duration.String(), "-") {
				t.Errorf("durationMs %v", r.fields["durationMs"])
			}
			if want := fmt.Sprintf("tool %s %s %sms", c.tool, c.outcome, duration); r.text("message") != want {
				t.Errorf("message %q, want %q", r.text("message"), want)
			}
			if strings.Contains(r.line, "canary") {
				t.Errorf("the record shows the input: %s", r.line)
			}
		})
	}
}

func TestCheckRecord(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	svc.evaluate(t, "conformance.checks.min-length", `{}`, `""`)
	r := svc.event(t, "call")
	wellFormed(t, r)
	for name, want := range map[string]string{
		"level": "info", "target": "check", "id": "conformance.checks.min-length", "checkId": "conformance.checks.min-length", "outcome": "ok",
		"tenantId": "tenant-1", "runId": "run-1",
	} {
		if got := r.text(name); got != want {
			t.Errorf("%s %q, want %q: %s", name, got, want, r.line)
		}
	}
	if !regexp.MustCompile(`^check conformance\.checks\.min-length ok \d+(\.\d+)?ms$`).MatchString(r.text("message")) {
		t.Errorf("message %q", r.text("message"))
	}
	for _, absent := range []string{"toolId", "traceId", "spanId", "requestId", "projectId", "orgId"} {
		if _, ok := r.fields[absent]; ok {
			t.Errorf("%s in the record of a check that has none: %s", absent, r.line)
		}
	}
}

func TestTraceParent(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	const trace, span = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	spans := map[string]bool{}
	for header, valid := range map[string]bool{
		"00-" + trace + "-" + span + "-01":      true,
		"00-" + trace + "-" + span + "-00":      true,
		"00-" + trace + "-" + span + "-ff":      true,
		"01-" + trace + "-" + span + "-01":      true,
		"fe-" + trace + "-" + span + "-01":      true,
		"01-" + trace + "-" + span + "-01-more": true,
		"":                                      false,
		"00":                                    false,
		"ff-" + trace + "-" + span + "-01":      false,
		"00-" + strings.Repeat("0", 32) + "-" + span + "-01":  false,
		"00-" + trace + "-" + strings.Repeat("0", 16) + "-01": false,
		"00-" + trace + "-" + span + "-01-more":               false,
		"00-" + trace + "-" + span + "-01-":                   false,
		"00-" + trace + "-" + span + "-1":                     false,
		"00-" + trace + "-" + span + "-0g":                    false,
		"00-" + trace + "-" + span:                            false,
		"00-" + strings.ToUpper(trace) + "-" + span + "-01":   false,
		"00-" + trace + "-" + strings.ToUpper(span) + "-01":   false,
		"00-" + trace[1:] + "-" + span + "-01":                false,
		"00-" + trace + "-" + span[1:] + "0x-01":              false,
		"00_" + trace + "_" + span + "_01":                    false,
		"0g-" + trace + "-" + span + "-01":                    false,
		"01-" + trace + "-" + span + "-01more":                false,
		"a traceparent":                                       false,
	} {
		id := fmt.Sprintf("trace %q", header)
		svc.invoke(t, withRequestID("conformance.echo", `{"message":"hi"}`, id), "traceparent", header).returned(t, `{"message":"hi"}`)
		r := svc.callRecord(t, id)
		got, gotSpan := r.text("traceId"), r.text("spanId")
		if valid && (got != trace || gotSpan == "" || gotSpan == span || spans[gotSpan]) || !valid && (got != "" || gotSpan != "") {
			t.Errorf("traceparent %q: traceId %q, spanId %q", header, got, gotSpan)
		}
		spans[gotSpan] = true
	}
}

// A handler's own records carry the call's ids.
func TestHandlerRecords(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges"})
	svc.invoke(t, toolMessage(`{"id":"edges.record"}`, `{"level":"warn","message":"the handler speaks","fields":{"amount":12.50,"currency":"EUR","level":"mine","time":1,"message":"mine"}}`,
		`{"tenantId":"tenant-7","runId":"run-7","requestId":"request-7","projectId":"project-7","orgId":"org-7"}`), "traceparent", sentTrace).returned(t, `{}`)
	r := svc.record(t, "handler's", func(r record) bool { return r.text("message") == "the handler speaks" })
	wellFormed(t, r)
	for name, want := range map[string]string{
		"level": "warn", "severity": "WARNING", "subsystem": "pack.tool", "tenantId": "tenant-7", "runId": "run-7", "requestId": "request-7",
		"projectId": "project-7", "orgId": "org-7", "toolId": "edges.record", "currency": "EUR", "traceId": "0af7651916cd43dd8448eb211c80319c",
	} {
		if got := r.text(name); got != want {
			t.Errorf("%s %q, want %q: %s", name, got, want, r.line)
		}
	}
	// A field named like one of the five goes under "fields".
	under, _ := r.fields["fields"].(map[string]any)
	if under["level"] != "mine" || under["message"] != "mine" || under["time"] != json.Number("1") {
		t.Errorf("fields %v: %s", r.fields["fields"], r.line)
	}
	// The span is the one of the call's record.
	call := svc.callRecord(t, "request-7")
	if r.text("spanId") == "" || r.text("spanId") != call.text("spanId") {
		t.Errorf("spanId %q, the call's is %q", r.text("spanId"), call.text("spanId"))
	}

	svc.evaluate(t, "edges.checks.word", `{"word":"x"}`, `"x"`)
	r = svc.record(t, "check's", func(r record) bool { return r.text("message") == "looking for a word" })
	wellFormed(t, r)
	if r.text("subsystem") != "pack.check" || r.text("tenantId") != "tenant-1" || r.text("runId") != "run-1" {
		t.Errorf("record %s", r.line)
	}
}

// An error is its name, its message and its cause; its stack is for errors only.
func TestErrorRecords(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{pack: "edges"})
	for _, level := range []string{"error", "warn"} {
		svc.call(t, "edges.record", fmt.Sprintf(`{"level":%q,"message":"at %s","error":"inner"}`, level, level)).returned(t, `{}`)
		r := svc.record(t, "handler's", func(r record) bool { return r.text("message") == "at "+level })
		e, _ := r.fields["err"].(map[string]any)
		if name, _ := e["name"].(string); e["message"] != "outer: inner" || name == "" {
			t.Errorf("err %v: %s", r.fields["err"], r.line)
		}
		if cause, _ := e["cause"].(map[string]any); cause["message"] != "inner" {
			t.Errorf("cause %v: %s", e["cause"], r.line)
		}
		if _, ok := e["stack"]; ok && level != "error" {
			t.Errorf("a stack at level %s: %s", level, r.line)
		}
	}
}

// Levels hold for a subsystem and those below it.
func TestLogLevels(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		level, levels string
		tool, calls   string // the least level that is written of each
	}{
		"default":                {unset, unset, "info", "info"},
		"debug":                  {"debug", unset, "debug", "info"},
		"error":                  {"error", unset, "error", "none"},
		"child inherits":         {"error", "pack=debug", "debug", "info"},
		"child differs":          {"error", "pack=warn,pack.tool=debug", "debug", "warn"},
		"child only":             {"warn", "pack.tool=info", "info", "warn"},
		"sibling":                {"info", "pack.check=debug", "info", "info"},
		"another's prefix":       {"info", "pack.to=debug,pac=debug", "info", "info"},
		"grandchild":             {"info", "pack.tool.x=debug", "info", "info"},
		"quieter than the level": {"debug", "pack.tool=error", "error", "info"},
		"spaces":                 {"info", " pack = warn , pack.tool = debug ", "debug", "warn"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			svc := start(t, setup{pack: "edges", env: map[string]string{"KINDGI_LOG_LEVEL": c.level, "KINDGI_LOG_LEVELS": c.levels}})
			order := []string{"debug", "info", "warn", "error", "none"}
			for _, level := range order[:4] {
				svc.call(t, "edges.record", fmt.Sprintf(`{"level":%q,"message":"record at %s"}`, level, level)).returned(t, `{}`)
			}
			svc.invoke(t, withRequestID("edges.numbers", `{"id":"x"}`, "bad")) // a warning
			svc.signal(t, syscall.SIGTERM)
			svc.stopped(t)
			got := []string{}
			calls := "none"
			for _, line := range svc.stderr.all() {
				r, _ := parseRecord(line)
				if level, ok := strings.CutPrefix(r.text("message"), "record at "); ok {
					got = append(got, level)
				}
				if r.text("kind") == "call" && (calls == "none" || r.text("level") == "info") {
					calls = r.text("level")
				}
			}
			if want := order[slices.Index(order, c.tool):4]; !slices.Equal(got, want) {
				t.Errorf("handler's records %q, want %q", got, want)
			}
			if calls != c.calls {
				t.Errorf("call records from level %s, want %s", calls, c.calls)
			}
		})
	}
}

// Pretty lines are for people, JSON for all else; a pipe is no terminal.
func TestLogFormat(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"auto", "json", unset} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			svc := start(t, setup{env: map[string]string{"KINDGI_LOG_FORMAT": format}})
			for _, line := range svc.stderr.all() {
				if _, ok := parseRecord(line); !ok {
					t.Errorf("not JSON: %s", line)
				}
			}
		})
	}
	t.Run("pretty", func(t *testing.T) {
		t.Parallel()
		svc := start(t, setup{pack: "edges", env: map[string]string{"KINDGI_LOG_FORMAT": "pretty", "NO_COLOR": "1", "EDGES_OPTIONAL": "x"}})
		svc.invoke(t, withRequestID("edges.record", `{"message":"two words","fields":{"amount":12,"text":"more words"}}`, "request-7"))
		svc.signal(t, syscall.SIGTERM)
		if code := svc.wait(t); code != 0 {
			t.Errorf("exit code %d", code)
		}
		prettyLine := regexp.MustCompile(`^\d\d:\d\d:\d\d\.\d{3} (ERROR|WARN|INFO|DEBUG|TRACE) +\[pack[a-z.]*\] \S.*$`)
		found := false
		for _, line := range svc.stderr.all() {
			if !prettyLine.MatchString(line) {
				t.Errorf("not HH:MM:SS.mmm LEVEL [subsystem] message key=value: %q", line)
			}
			if strings.Contains(line, "[pack.tool] two words") {
				found = true
				for _, want := range []string{" amount=12", ` text="more words"`, " requestId=request-7", " toolId=edges.record"} {
					if !strings.Contains(line, want) {
						t.Errorf("no%s in %q", want, line)
					}
				}
			}
			if strings.Contains(line, "\x1b") {
				t.Errorf("colour despite NO_COLOR: %q", line)
			}
		}
		if !found {
			t.Errorf("the handler's record is not there")
		}
	})
}

// Whatever a handler prints never reaches a response, and does not spoil the records.
func TestHandlersPrint(t *testing.T) {
	t.Parallel()
	svc := start(t, setup{})
	a := svc.invoke(t, withRequestID("conformance.noisy", `{}`, "noisy"))
	a.is(t, 200, `{"v":2,"kind":"result","output":{"ok":true}}`)
	for _, want := range []string{"noisy: a line on stdout", `{"v":2,"kind":"result","output":{"ok":false}}`} {
		if _, ok := svc.stdout.wait(t, "line on stdout", func(line string) bool { return line == want }); !ok {
			t.Errorf("%q is not on standard output", want)
		}
	}
	if _, ok := svc.stderr.wait(t, "line on stderr", func(line string) bool { return line == "noisy: a line on stderr" }); !ok {
		t.Errorf("the handler's line is not on standard error")
	}
	if r := svc.callRecord(t, "noisy"); r.text("outcome") != "ok" {
		t.Errorf("record %s", r.line)
	}
}
