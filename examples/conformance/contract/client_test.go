package contract_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// answer is what a service answered.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (a answer) String() string {
	return fmt.Sprintf("%d %v %.600s", a.status, a.header, a.body)
}

// check asserts what every answer keeps: its type, its length, and no redirect.
func (a answer) check(t testing.TB) {
	t.Helper()
	if got := a.header.Get("Content-Type"); got != "application/json; charset=utf-8" {
		t.Errorf("Content-Type %q in %v", got, a)
	}
	if got := a.header.Get("Content-Length"); got != strconv.Itoa(len(a.body)) {
		t.Errorf("Content-Length %q for %d bytes in %v", got, len(a.body), a)
	}
	if a.status >= 300 && a.status < 400 || a.header.Get("Location") != "" {
		t.Errorf("a redirect: %v", a)
	}
	if !json.Valid(a.body) {
		t.Errorf("not JSON: %v", a)
	}
}

// is asserts a status and a body, compared as JSON.
func (a answer) is(t testing.TB, status int, body string) {
	t.Helper()
	if a.status != status || !sameJSON(t, a.body, body) {
		t.Errorf("got  %v\nwant %d %s", a, status, body)
	}
}

// unavailable asserts a 503 that says when to try again.
func (a answer) unavailable(t testing.TB, body string) {
	t.Helper()
	a.is(t, http.StatusServiceUnavailable, body)
	if got := a.header.Get("Retry-After"); got != "1" {
		t.Errorf("Retry-After %q, want 1, in %v", got, a)
	}
}

// failure is an error message of the protocol.
type failure struct {
	V       int             `json:"v"`
	Kind    string          `json:"kind"`
	Code    string          `json:"code"`
	Message string          `json:"message"`
	ToolID  string          `json:"toolId"`
	CheckID string          `json:"checkId"`
	Cause   map[string]any  `json:"cause"`
	Issues  json.RawMessage `json:"issues"`
}

// failed asserts an error message and gives it.
func (a answer) failed(t testing.TB, code, message string) failure {
	t.Helper()
	f := a.failure(t)
	if f.Code != code || f.Message != message {
		t.Errorf("got  %s %q\nwant %s %q", f.Code, f.Message, code, message)
	}
	return f
}

// failure asserts that the answer is an error message, and gives it.
func (a answer) failure(t testing.TB) failure {
	t.Helper()
	var f failure
	if a.status != http.StatusOK {
		t.Fatalf("status %d, want 200: every outcome of running pack code is a message: %v", a.status, a)
	}
	if err := json.Unmarshal(a.body, &f); err != nil || f.V != 2 || f.Kind != "error" {
		t.Fatalf("not an error message of protocol 2: %v", a)
	}
	return f
}

// issues asserts the issues of an error message.
func (f failure) issues(t testing.TB, want string) {
	t.Helper()
	if f.Issues == nil {
		f.Issues = json.RawMessage("null")
	}
	if !sameJSON(t, f.Issues, want) {
		t.Errorf("issues\ngot  %s\nwant %s", f.Issues, want)
	}
}

// output asserts that the answer is a tool's result, and gives its output.
func (a answer) output(t testing.TB) string {
	t.Helper()
	var m struct {
		V      int             `json:"v"`
		Kind   string          `json:"kind"`
		Output json.RawMessage `json:"output"`
	}
	if err := json.Unmarshal(a.body, &m); err != nil || a.status != http.StatusOK || m.V != 2 || m.Kind != "result" || m.Output == nil {
		t.Fatalf("not a result: %v", a)
	}
	return string(m.Output)
}

// returned asserts a tool's result.
func (a answer) returned(t testing.TB, output string) {
	t.Helper()
	if got := a.output(t); !sameJSON(t, []byte(got), output) {
		t.Errorf("output\ngot  %.600s\nwant %.600s", got, output)
	}
}

// do sends a request and checks what every answer keeps. Headers are names and values in
// turn; an empty value takes a header out.
func (s *service) do(t testing.TB, method, path string, body io.Reader, headers ...string) answer {
	t.Helper()
	a, err := s.try(t.Context(), method, path, body, headers...)
	if err != nil {
		t.Fatal(err)
	}
	a.check(t)
	return a
}

func (s *service) try(ctx context.Context, method, path string, body io.Reader, headers ...string) (answer, error) {
	request, err := http.NewRequestWithContext(ctx, method, "http://"+s.address+path, body)
	if err != nil {
		return answer{}, err
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i+1] == "" {
			request.Header.Del(headers[i])
		} else {
			request.Header.Set(headers[i], headers[i+1])
		}
	}
	response, err := s.client.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer discard(response.Body)
	content, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, content}, err
}

// withToken puts the headers of an invoke before more of them.
func withToken(headers []string) []string {
	return append([]string{"kindgi-pack-token", token, "Content-Type", "application/json"}, headers...)
}

// invoke sends a message.
func (s *service) invoke(t testing.TB, message string, headers ...string) answer {
	t.Helper()
	return s.do(t, "POST", "/v1/invoke", strings.NewReader(message), withToken(headers)...)
}

// call calls a tool.
func (s *service) call(t testing.TB, tool, input string, headers ...string) answer {
	t.Helper()
	return s.invoke(t, toolCall(tool, input), headers...)
}

// evaluate calls a check.
func (s *service) evaluate(t testing.TB, check, config, output string) answer {
	t.Helper()
	return s.invoke(t, checkCall(check, config, output))
}

// get asks for a route with the token.
func (s *service) get(t testing.TB, path string, headers ...string) answer {
	t.Helper()
	return s.do(t, "GET", path, nil, append([]string{"kindgi-pack-token", token}, headers...)...)
}

// info gives the service's answer about itself.
func (s *service) info(t testing.TB) info {
	t.Helper()
	a := s.get(t, "/v1/info")
	var i info
	dec := json.NewDecoder(bytes.NewReader(a.body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&i); err != nil || a.status != http.StatusOK {
		t.Fatalf("%v: %v", err, a)
	}
	return i
}

type info struct {
	Protocol        int    `json:"protocol"`
	PackID          string `json:"packId"`
	PackVersion     string `json:"packVersion"`
	ArtifactVersion string `json:"artifactVersion"`
	IndexHash       string `json:"indexHash"`
	Tools           []struct {
		ID      string `json:"id"`
		Version string `json:"version"`
	} `json:"tools"`
	Checks     []string `json:"checks"`
	MissingEnv []string `json:"missingEnv"`
}

// pending is a call on its way.
type pending struct {
	cancel context.CancelFunc
	done   chan struct{}
	answer answer
	err    error
}

// begin sends a message and does not wait for the answer.
func (s *service) begin(t testing.TB, message string, headers ...string) *pending {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	p := &pending{cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.answer, p.err = s.try(ctx, "POST", "/v1/invoke", strings.NewReader(message), withToken(headers)...)
	}()
	t.Cleanup(func() { cancel(); <-p.done })
	return p
}

// wait gives the answer of a call on its way.
func (p *pending) wait(t testing.TB) answer {
	t.Helper()
	<-p.done
	if p.err != nil {
		t.Fatal(p.err)
	}
	p.answer.check(t)
	return p.answer
}

// toolCall is a message that calls a tool.
func toolCall(tool, input string) string {
	return toolMessage(fmt.Sprintf(`{"id":%q}`, tool), input, `{"tenantId":"tenant-1","runId":"run-1"}`)
}

func toolMessage(tool, input, ctx string) string {
	return `{"v":2,"kind":"invoke","tool":` + tool + `,"input":` + input + `,"ctx":` + ctx + `}`
}

// checkCall is a message that calls a check on a run with an output.
func checkCall(check, config, output string) string {
	return fmt.Sprintf(`{"v":2,"kind":"check-invoke","check":{"id":%q},"config":%s,"trace":{"runId":"run-1",`+
		`"tenantId":"tenant-1","output":%s,"toolCalls":[],"toolResults":[],"modelCalls":[],"mode":"ci"}}`, check, config, output)
}

// withRequestID is a message that calls a tool, with a request id to find its record by.
func withRequestID(tool, input, requestID string) string {
	return toolMessage(fmt.Sprintf(`{"id":%q}`, tool), input, fmt.Sprintf(`{"tenantId":"tenant-1","runId":"run-1","requestId":%q}`, requestID))
}
