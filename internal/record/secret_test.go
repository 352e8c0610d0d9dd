package record_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/kindgi/kindgi-go/internal/record"
)

func TestSecrets(t *testing.T) {
	t.Parallel()
	const secret = "s3cr3t-value"
	jsonOf := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	tests := []struct {
		name    string
		secrets []string
		message string
		args    []any
		want    string // from the message's value on
	}{
		{"message", []string{secret}, "a s3cr3t-value b", nil, `"a [redacted] b"`},
		{"whole message", []string{secret}, secret, nil, `"[redacted]"`},
		{"twice", []string{secret}, secret + secret, nil, `"[redacted][redacted]"`},
		{"value", []string{secret}, "m", []any{"a", secret}, `"m","a":"[redacted]"`},
		{"key", []string{secret}, "m", []any{secret, 1}, `"m","[redacted]":1`},
		{"two keys", []string{secret, "another-one"}, "m", []any{secret, 1, "another-one", 2}, `"m","[redacted]":1,"[redacted] (2)":2`},
		{"inside values", []string{secret}, "m", []any{"a", []any{map[string]string{secret: secret}}}, `"m","a":[{"[redacted]":"[redacted]"}]`},
		{"group", []string{secret}, "m", []any{slog.Group(secret, "a", secret)}, `"m","[redacted]":{"a":"[redacted]"}`},
		{"error", []string{secret}, "m", []any{"err", fmt.Errorf("a: %w", errors.New(secret))},
			`"m","err":{"name":"Error","message":"a: [redacted]","cause":{"name":"Error","message":"[redacted]"}}`},
		{"bytes", []string{secret}, "m", []any{"a", []byte("x " + secret)}, `"m","a":"x [redacted]"`},
		{"raw JSON", []string{secret}, "m", []any{"a", jsontext.Value(`{"b":"s3cr3t\u002dvalue"}`)}, `"m","a":{"b":"[redacted]"}`},
		{"number", []string{"1234567890"}, "m", []any{"a", 1234567890, "b", 12345678901, "c", 123456789}, `"m","a":"[redacted]","b":"[redacted]","c":123456789`},
		{"negative number and fraction", []string{"12345678.25"}, "m", []any{"a", -12345678.25}, `"m","a":"[redacted]"`},
		{"number in raw JSON", []string{"1234567890"}, "m", []any{"a", jsontext.Value(`[1234567890]`)}, `"m","a":["[redacted]"]`},

		{"with quotes", []string{`pass"wo\rd`}, `a pass"wo\rd b`, nil, `"a [redacted] b"`},
		{"with a newline", []string{"pass\nword"}, "a pass\nword b", nil, `"a [redacted] b"`},
		{"with control characters", []string{"pass\x00\x1bword"}, "a pass\x00\x1bword b", nil, `"a [redacted] b"`},
		{"beyond ASCII", []string{"pässwörd"}, "a pässwörd b", nil, `"a [redacted] b"`},
		{"not UTF-8", []string{"pass\xff\xfeword"}, "a pass\xff\xfeword b", nil, `"a [redacted] b"`},
		{"quotes as JSON in a string", []string{`pass"wo\rd`}, jsonOf(`pass"wo\rd`), nil, `"\"[redacted]\""`},
		{"quotes as JSON in JSON in a string", []string{`pass"wo\rd`}, jsonOf(jsonOf(`pass"wo\rd`)), nil, `"\"\\\"[redacted]\\\"\""`},
		{"as HTML-safe JSON in a string", []string{"pass<&>word"}, jsonOf("pass<&>word"), nil, `"\"[redacted]\""`},
		{"as ASCII JSON in a string", []string{"pässwörd😀"}, `"p\u00e4ssw\u00F6rd\ud83d\ude00"`, nil, `"\"[redacted]\""`},
		{"with an escaped slash in a string", []string{"abc/def/ghi"}, `{"a":"abc\/def\/ghi"}`, nil, `"{\"a\":\"[redacted]\"}"`},
		{"escaped beside others", []string{secret}, `a\nb s3cr3t-value c\`, nil, `"a\\nb [redacted] c\\"`},

		{"overlapping", []string{"abcdefgh", "efghijkl"}, "xabcdefghijkly", nil, `"x[redacted]y"`},
		{"one inside another", []string{"abcdefgh", "xabcdefghy"}, "xabcdefghy", nil, `"[redacted]"`},
		{"next to each other", []string{"abcdefgh", "ijklmnop"}, "abcdefghijklmnop", nil, `"[redacted][redacted]"`},
		// What the guide says is not found.
		{"as hex", []string{secret}, fmt.Sprintf("%x", secret), nil, `"7333637233742d76616c7565"`},
		{"as base64", []string{secret}, base64.StdEncoding.EncodeToString([]byte(secret)), nil, `"czNjcjN0LXZhbHVl"`},
		{"escaped in a URL", []string{"pass/word?1"}, url.QueryEscape("pass/word?1"), nil, `"pass%2Fword%3F1"`},
		{"in two parts", []string{secret}, "m", []any{"a", "s3cr3t", "b", "-value"}, `"m","a":"s3cr3t","b":"-value"`},

		{"short", []string{"1234567"}, "1234567", nil, `"1234567"`},
		{"short beside long", []string{"1234567", secret}, "1234567 " + secret, nil, `"1234567 [redacted]"`},
		{"eight characters of many bytes", []string{"ääääääää"}, "ääääääää", nil, `"[redacted]"`},
		{"seven characters of many bytes", []string{"äääääää"}, "äääääää", nil, `"äääääää"`},
		{"empty", []string{""}, "m", nil, `"m"`},
		{"what stands between members", []string{`","message":"`}, "m", []any{"a", 1}, `"m","a":1`},
		{"what the end of a value looks like", []string{`":12345678`}, "m", []any{`abc\`, 12345678}, `"m","abc\\":12345678`},
		{"severity", []string{"severity", "WARNING1"}, "m", nil, `"m"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var s stream
			ids := &record.IDs{Secrets: tt.secrets}
			h := record.New(&s, record.Config{})
			slog.New(h.WithIDs(ids)).Info(tt.message, tt.args...)
			slog.New(h).With(tt.args...).InfoContext(contextWith(t, ids), tt.message)
			for i, line := range written(t, h, &s) {
				_, got, _ := strings.Cut(line, `"message":`)
				if got = strings.TrimSuffix(got, "}"); got != tt.want {
					t.Errorf("line %d:\n got %s\nwant %s", i+1, got, tt.want)
				}
				if !jsontext.Value(line).IsValid() {
					t.Errorf("not valid JSON: %s", line)
				}
			}
		})
	}
}

func TestSecretsInEvents(t *testing.T) {
	t.Parallel()
	var s stream
	h := record.New(&s, record.Config{})
	ids := &record.IDs{RunID: "run-s3cr3t-value", Secrets: []string{"s3cr3t-value"}}
	h.Event(slog.LevelInfo, "x", "s3cr3t-value", ids, slog.String("a", "s3cr3t-value"))
	h.Call(&record.CallRecord{Target: "tool", ID: "s3cr3t-value", Outcome: "ok", IDs: ids})
	p := record.New(&s, record.Config{Format: record.Pretty})
	p.Event(slog.LevelInfo, "x", "s3cr3t-value", ids, slog.String("a", "s3cr3t-value"))
	if err := p.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, line := range written(t, h, &s) {
		if strings.Contains(line, "s3cr3t-value") {
			t.Error(line)
		}
	}
}

func TestHideSecrets(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		secrets    []string
		text, want string
	}{
		{[]string{"s3cr3t-value"}, "a s3cr3t-value b", "a [redacted] b"},
		{[]string{`pass"word`}, `{"a":"pass\"word"} pass"word`, `{"a":"[redacted]"} [redacted]`},
		{[]string{"short"}, "short", "short"},
		{nil, "text", "text"},
	} {
		if got := record.HideSecrets(tt.text, tt.secrets); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// Printing ids shows no secret, whichever the verb.
func TestPrintIDs(t *testing.T) {
	t.Parallel()
	ids := record.IDs{RunID: "run", Secrets: []string{"s3cr3t-value"}}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
		for _, text := range []string{fmt.Sprintf(verb, ids), fmt.Sprintf(verb, &ids), fmt.Sprintf(verb, []any{ids})} {
			if strings.Contains(text, "s3cr3t") || !strings.Contains(text, "run") {
				t.Errorf("%s gives %s", verb, text)
			}
		}
	}
}

// A text and a secret that match almost everywhere are still read in milliseconds: trying every place
// would take minutes.
func TestSecretsAreFoundInLinearTime(t *testing.T) {
	t.Parallel()
	const size = 4 << 20
	a := strings.Repeat("a", size)
	var s stream
	h := record.New(&s, record.Config{})
	log := slog.New(h.WithIDs(&record.IDs{Secrets: []string{a[:size/2] + "b", "b" + a[:size/2], strings.Repeat(`\`, 100)}}))
	began := time.Now()
	log.Info(a)
	log.Info(strings.Repeat(`\`, size))
	log.Info(strings.Repeat(`\\u005c`, size/7))
	written(t, h, &s)
	if took := time.Since(began); took > time.Minute {
		t.Errorf("took %v", took)
	}
}
