package pack_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/pack"
)

// kept is all that a handler can keep of a call.
type kept struct {
	n     int
	in    keptInput
	call  *pack.Call
	ctx   context.Context
	field jsontext.Value
}

type keptInput struct {
	N     int             `json:"n"`
	Text  string          `json:"text"`
	Raw   json.RawMessage `json:"raw"`
	Value jsontext.Value  `json:"value"`
	List  []string        `json:"list"`
	Any   any             `json:"any"`
}

type plainInput struct {
	N    int      `json:"n"`
	Text string   `json:"text"`
	List []string `json:"list"`
}

func textOf(n int) string { return fmt.Sprintf("call %d: %s", n, strings.Repeat("é", n%300)) }

// keptMessage calls a tool with an input and a context that differ from call to call.
func keptMessage(tool string, n int) string {
	return fmt.Sprintf(`{"v":2,"kind":"invoke","tool":{"id":%q},"input":{"n":%d,"text":%q,"list":["a%d","b\u0062%d"]`+
		`%s},"ctx":{"tenantId":"tenant %d","runId":"run %d","requestId":"request %d","env":{"E":"env %d"},"secrets":{"s":"secret %d"},"newer":{"field":%d}}}`,
		tool, n, textOf(n), n, n, map[bool]string{true: fmt.Sprintf(`,"raw":{"r": %d},"value":[%d, 1.50],"any":{"x":%d.25}`, n, n, n)}[tool == "t.keep"],
		n, n, n, n, n, n)
}

// TestNothingCrossesCalls answers many calls at once with buffers that are overwritten when they
// are given back, keeps all that the handlers saw, and finds all of it unchanged in the end.
func TestNothingCrossesCalls(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var all []kept
	keep := func(ctx context.Context, n int, in keptInput) {
		call, _ := pack.CallFromContext(ctx)
		field, _ := call.Field("newer")
		mu.Lock()
		defer mu.Unlock()
		all = append(all, kept{n, in, call, ctx, field})
	}
	b := pack.New("t", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "t.keep"}, func(ctx context.Context, in keptInput) (keptInput, error) {
		keep(ctx, in.N, in)
		return in, nil
	})
	pack.AddTool(b, pack.Tool{ID: "t.plain"}, func(ctx context.Context, in plainInput) (plainInput, error) {
		keep(ctx, in.N, keptInput{N: in.N, Text: in.Text, List: in.List})
		if in.N%7 == 0 {
			return plainInput{}, fmt.Errorf("no to %s", in.Text)
		}
		return in, nil
	})
	service, err := b.Service(pack.Options{Token: testToken, MaxConcurrency: 64, Log: &pack.LogOptions{Output: new(syncBuffer)}})
	if err != nil {
		t.Fatal(err)
	}
	pack.PoisonBuffers(service)
	const calls = 400
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			for n := worker; n < calls; n += 8 {
				tool := []string{"t.keep", "t.plain"}[n/8%2]
				r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/invoke", strings.NewReader(keptMessage(tool, n)))
				r.Header.Set("Kindgi-Pack-Token", testToken)
				r.Header.Set("Content-Type", "application/json")
				w := httptest.NewRecorder()
				service.ServeHTTP(w, r)
				var got struct {
					Kind    string     `json:"kind"`
					Message string     `json:"message"`
					Output  plainInput `json:"output"`
				}
				if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
					t.Errorf("call %d was answered %q: %v", n, w.Body, err)
					continue
				}
				if tool == "t.plain" && n%7 == 0 {
					if want := `Handler for tool "t.plain" threw: Error: no to ` + textOf(n); got.Message != want {
						t.Errorf("call %d: got %q, want %q", n, got.Message, want)
					}
					continue
				}
				if got.Kind != "result" || got.Output.Text != textOf(n) || !slices.Equal(got.Output.List, list(n)) {
					t.Errorf("call %d was answered %s", n, w.Body)
				}
			}
		})
	}
	group.Wait()
	if len(all) != calls {
		t.Fatalf("%d calls were kept", len(all))
	}
	for _, k := range all {
		k.check(t)
	}
}

func list(n int) []string { return []string{fmt.Sprintf("a%d", n), fmt.Sprintf("bb%d", n)} }

func (k *kept) check(t *testing.T) {
	t.Helper()
	n := k.n
	want := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("call %d: %s is %q now, was %q", n, what, got, want)
		}
	}
	want("text", k.in.Text, textOf(n))
	want("list", strings.Join(k.in.List, " "), strings.Join(list(n), " "))
	if k.in.Raw != nil {
		want("raw", string(k.in.Raw), fmt.Sprintf(`{"r": %d}`, n))
		want("value", string(k.in.Value), fmt.Sprintf(`[%d, 1.50]`, n))
		want("any", fmt.Sprint(k.in.Any), fmt.Sprintf("map[x:%d.25]", n))
	}
	want("tenant", k.call.TenantID, fmt.Sprintf("tenant %d", n))
	want("run", k.call.RunID, fmt.Sprintf("run %d", n))
	want("request", k.call.RequestID, fmt.Sprintf("request %d", n))
	env, _ := k.call.Env("E")
	want("env", env, fmt.Sprintf("env %d", n))
	secret, _ := k.call.Secret("s")
	want("secret", secret, fmt.Sprintf("secret %d", n))
	want("the field kept", string(k.field), fmt.Sprintf(`{"field":%d}`, n))
	field, _ := k.call.Field("newer")
	want("the field", string(field), fmt.Sprintf(`{"field":%d}`, n))
	if again, _ := pack.CallFromContext(k.ctx); again != k.call {
		t.Errorf("call %d: its context leads to another", n)
	}
}
