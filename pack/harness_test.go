package pack_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/kindgi/kindgi-go/pack"
)

const testToken = "test-token"

// running is a service over a real loopback listener.
type running struct {
	*pack.Service
	url    string
	client *http.Client
	log    *syncBuffer
}

// syncBuffer is a writer whose content can be read while it is written.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// start serves a pack until the test ends.
func start(t testing.TB, b *pack.Builder, o pack.Options) *running {
	t.Helper()
	log := new(syncBuffer)
	o.Token = testToken
	if o.Log == nil {
		o.Log = &pack.LogOptions{Output: log}
	}
	s, err := b.Service(o)
	if err != nil {
		t.Fatalf("Service: %v", err)
	}
	server := httptest.NewServer(s)
	// Every connection is kept and used again: a machine has only so many ports.
	transport := &http.Transport{MaxIdleConnsPerHost: 1000}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.Close()
	})
	return &running{Service: s, url: server.URL, client: &http.Client{Transport: transport}, log: log}
}

// reply is an answer to an invoke.
type reply struct {
	status int
	header http.Header
	body   string

	Kind    string          `json:"kind"`
	Output  json.RawMessage `json:"output"`
	Result  json.RawMessage `json:"result"`
	Code    string          `json:"code"`
	Message string          `json:"message"`
	ToolID  string          `json:"toolId"`
	CheckID string          `json:"checkId"`
	Cause   struct {
		Name    string `json:"name"`
		Message string `json:"message"`
		Stack   string `json:"stack"`
	} `json:"cause"`
	Issues []struct {
		InstancePath string `json:"instancePath"`
		Keyword      string `json:"keyword"`
		Message      string `json:"message"`
	} `json:"issues"`
}

// request makes a POST /v1/invoke; each edit may change it.
func (s *running) request(ctx context.Context, t testing.TB, body io.Reader, edits ...func(*http.Request)) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/v1/invoke", body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Kindgi-Pack-Token", testToken)
	r.Header.Set("Content-Type", "application/json")
	for _, edit := range edits {
		edit(r)
	}
	return r
}

// do sends a request and reads the answer. It may be used from any goroutine: when it fails,
// it gives what there is, so that nobody waits in vain for it.
func (s *running) do(t testing.TB, r *http.Request) reply {
	t.Helper()
	response, err := s.client.Do(r)
	if err != nil {
		t.Errorf("the call was not answered: %v", err)
		return reply{}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Errorf("the answer could not be read: %v", err)
	}
	got := reply{status: response.StatusCode, header: response.Header, body: string(body)}
	if err := json.Unmarshal(body, &got); err != nil {
		t.Errorf("the answer %q is not JSON: %v", body, err)
	}
	return got
}

// post sends a message.
func (s *running) post(t testing.TB, message string, edits ...func(*http.Request)) reply {
	t.Helper()
	return s.do(t, s.request(t.Context(), t, strings.NewReader(message), edits...))
}

// toolMessage is the message that calls a tool.
func toolMessage(tool, input string) string {
	return fmt.Sprintf(`{"v":2,"kind":"invoke","tool":{"id":%q},"input":%s,"ctx":{"tenantId":"t1","runId":"r1"}}`, tool, input)
}

// call calls a tool.
func (s *running) call(t testing.TB, tool, input string, edits ...func(*http.Request)) reply {
	t.Helper()
	return s.post(t, toolMessage(tool, input), edits...)
}

// addHold adds the tool t.hold, for one call: it closes started, waits for release, whatever
// its context, and returns "held".
func addHold(b *pack.Builder) (started <-chan struct{}, release chan<- struct{}) {
	begun, end := make(chan struct{}), make(chan struct{})
	pack.AddTool(b, pack.Tool{ID: "t.hold"}, func(context.Context, struct{}) (string, error) {
		close(begun)
		<-end
		return "held", nil
	})
	return begun, end
}

// timeoutMs sets a call's deadline.
func timeoutMs(ms string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set("Kindgi-Timeout-Ms", ms) }
}

// wantOutput fails the test unless a tool answered with this output.
func wantOutput(t testing.TB, got reply, want string) {
	t.Helper()
	if got.status != http.StatusOK || got.Kind != "result" || string(got.Output) != want {
		t.Errorf("got %d %s, want the output %s", got.status, got.body, want)
	}
}

// wantError fails the test unless the answer is this error.
func wantError(t testing.TB, got reply, code, message string) {
	t.Helper()
	if got.status != http.StatusOK || got.Kind != "error" || got.Code != code || got.Message != message {
		t.Errorf("got %d %s\nwant the error %s %q", got.status, got.body, code, message)
	}
}
