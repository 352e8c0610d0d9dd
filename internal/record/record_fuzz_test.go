package record_test

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/kindgi/kindgi-go/internal/record"
)

// FuzzSecrets puts a secret between arbitrary texts, everywhere a record takes text, and looks for it in the
// record: in no string, name or number of it may it be left.
func FuzzSecrets(f *testing.F) {
	f.Add("s3cr3t-value", "a", "b")
	f.Add(`pass"wo\rd`, `\`, `\u`)
	f.Add("pass\nword\x00", "\xff", "kgi_bt_")
	f.Add("\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8", "\xf0\x9f", "\x98")
	f.Add("12345678", "1", "9")
	f.Add("Bearer x y z", "Bearer ", " Bearer")
	f.Add("://u:p@h/x", "a", "@")
	f.Add("\\u0061bcdefgh", "\\", "\\\\")
	f.Fuzz(func(t *testing.T, secret, before, after string) {
		// Invalid bytes become U+FFFD one by one, in the record as in what is looked for.
		normal := string([]rune(secret))
		text := before + secret + after
		if utf8.RuneCountInString(secret) < 8 || !strings.Contains(string([]rune(text)), normal) {
			t.Skip()
		}
		ids := &record.IDs{RunID: text, Secrets: []string{secret}}
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Skip()
		}
		var s stream
		h := record.New(&s, record.Config{})
		log := slog.New(h.WithIDs(ids))
		log.Info(text, text, text, "list", []any{text, map[string]any{text: text}, []byte(text)}, "json", string(quoted),
			slog.Group(text, "a", text), "raw", jsontext.Value(`[`+string(quoted)+`]`), "err", &coded{wrapped: errorOf(text)})
		log.With(text, text).WithGroup("g"+text).Info("m", "a", text)
		h.Event(slog.LevelInfo, text, text, ids, slog.String(text, text))
		h.Call(&record.CallRecord{Target: "tool", ID: text, Outcome: text, IDs: ids})
		p := record.New(&s, record.Config{Format: record.Pretty})
		p.Event(slog.LevelInfo, text, text, ids)
		if err := p.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(record.HideSecrets(string([]rune(text)), ids.Secrets), normal) && !strings.Contains("[redacted]", normal) {
			t.Errorf("HideSecrets left %q in %q", secret, text)
		}
		for _, line := range written(t, h, &s) {
			if !strings.HasPrefix(line, "{") {
				continue // the pretty one
			}
			// Strictly: UTF-8, and no name twice.
			if !jsontext.Value(line).IsValid() {
				t.Errorf("not valid JSON: %s", line)
			}
			// What comes before is the record's own, and may look like a secret by chance: a date, say.
			_, rest, _ := strings.Cut(line, `"subsystem":"pack",`)
			d := jsontext.NewDecoder(strings.NewReader("{" + rest))
			for {
				token, err := d.ReadToken()
				if err != nil {
					break
				}
				if kind := token.Kind(); kind != '"' && kind != '0' {
					continue
				}
				// What stands in place of a secret may look like part of one.
				value := token.String()
				if strings.Contains(strings.ReplaceAll(value, "[redacted]", "\x00"), normal) && !strings.Contains(normal, "redacted") {
					t.Errorf("%q is left in %q of %s", secret, value, line)
				}
			}
		}
	})
}

type textError string

func (e textError) Error() string { return string(e) }

func errorOf(text string) error { return textError(text) }

// FuzzShapes puts what is shaped like a secret between arbitrary texts.
func FuzzShapes(f *testing.F) {
	f.Add("0123456789abcdefWXYZ", "a ", " b")
	f.Add("0123456789abcdefWXYZ", "kgi_", "_")
	f.Add("hunter2hunter2hunter2", "://a:", "@b")
	f.Add("hunter2hunter2hunter2", "proxy://", "@b")
	f.Add("hunter2hunter2hunter2", "Bearer", "\\\"")
	f.Fuzz(func(t *testing.T, body, before, after string) {
		var b strings.Builder
		for _, r := range body {
			if r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
				b.WriteRune(r)
			}
		}
		if body = b.String(); len(body) < 16 {
			t.Skip()
		}
		hidden := body[:len(body)-4]
		if strings.Contains(before+after, hidden) {
			t.Skip()
		}
		for _, text := range []string{"kgi_bt_" + body, "Bearer " + body, "bearer\t" + body, "https://user:" + body + "@host"} {
			var s stream
			h := record.New(&s, record.Config{})
			text = before + text + after
			slog.New(h).Info(text, text, text, "any", []any{map[string]any{text: text}})
			for _, line := range written(t, h, &s) {
				if strings.Contains(line, hidden) {
					t.Errorf("%q is left in %s", hidden, line)
				}
				if !jsontext.Value(line).IsValid() {
					t.Errorf("not valid JSON: %s", line)
				}
			}
		}
	})
}

// FuzzRaw writes arbitrary JSON, or what claims to be, as a value.
func FuzzRaw(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,{"password":"hunter22"}],"b":"\u00e9"}`, `[[[[[[[[[[1]]]]]]]]]]`, `{"a":1,"a":2}`, `1e1000001`, `"\ud800"`, "\xff", `{`, ``, `nul`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var s stream
		h := record.New(&s, record.Config{})
		slog.New(h).Info("m", "raw", jsontext.Value(raw), "message", json.RawMessage(raw))
		line := written(t, h, &s)[0]
		if !jsontext.Value(line).IsValid() {
			t.Errorf("not valid JSON: %s", line)
		}
	})
}
