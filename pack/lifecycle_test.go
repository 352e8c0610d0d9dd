package pack_test

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/kindgi/kindgi-go/pack"
)

// TestPanicsAreRecorded: with their stack, whether or not anybody waits for the answer.
func TestPanicsAreRecorded(t *testing.T) {
	t.Parallel()
	started, release := make(chan struct{}, 1000), make(chan struct{})
	b := pack.New("t", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "t.panics"}, func(ctx context.Context, _ struct{}) (string, error) {
		call, _ := pack.CallFromContext(ctx)
		secret, _ := call.Secret("KEY")
		panic("boom with " + secret)
	})
	pack.AddTool(b, pack.Tool{ID: "t.late"}, func(ctx context.Context, _ struct{}) (string, error) {
		started <- struct{}{}
		<-ctx.Done()
		<-release
		panic("late boom")
	})
	s := start(t, b, pack.Options{})
	s.do(t, s.request(t.Context(), t, strings.NewReader(
		`{"v":2,"kind":"invoke","tool":{"id":"t.panics"},"input":{},"ctx":{"tenantId":"t1","runId":"r1","secrets":{"KEY":"hidden-secret"}}}`)))
	// On a busy machine the deadline may pass before the handler starts: try again then.
	eventually(t, func() bool {
		got := s.call(t, "t.late", `{}`, timeoutMs("100"))
		if got.Code != "deadline-exceeded" && got.status == http.StatusOK {
			t.Errorf("got %s", got.body)
		}
		return len(started) > 0
	})
	close(release)
	eventually(t, func() bool {
		return strings.Contains(s.log.String(), `panicked: late boom`) && strings.Contains(s.log.String(), `"handler-finished-late"`)
	})
	flush(t, s)
	log := s.log.String()
	for _, want := range []string{
		`"level":"error"`, `"event":"handler-panicked","target":"tool","id":"t.panics","err":{"name":"panic","message":"boom with [redacted]","stack":"goroutine `,
		`lifecycle_test.go:`, `"runId":"r1"`, `"event":"handler-finished-late","target":"tool","id":"t.late"`,
	} {
		if !strings.Contains(log, want) {
			t.Errorf("the records lack %s:\n%s", want, log)
		}
	}
	if strings.Contains(log, "hidden-secret") {
		t.Errorf("the records show a secret:\n%s", log)
	}
}

// TestRefusedRequestsAreRecorded: at debug, and only there.
func TestRefusedRequestsAreRecorded(t *testing.T) {
	t.Parallel()
	for _, level := range []slog.Level{slog.LevelDebug, slog.LevelInfo} {
		log := new(syncBuffer)
		b := pack.New("t", "1.0.0")
		pack.AddTool(b, pack.Tool{ID: "t.echo"}, returns("x"))
		s := start(t, b, pack.Options{TenantID: "acme", Log: &pack.LogOptions{Output: log, Level: level}})
		s.call(t, "t.echo", `{}`, func(r *http.Request) { r.Header.Set("Kindgi-Pack-Token", "wrong-token-value") })
		s.call(t, "t.echo", `{}`)
		s.call(t, "t.echo", `{}`, func(r *http.Request) { r.Method = http.MethodPut })
		s.call(t, "t.echo", `{}`, func(r *http.Request) { r.URL.Path = "/" + strings.Repeat("long", 100) })
		s.call(t, "t.echo", `{}`, func(r *http.Request) {
			r.Header.Set("Kindgi-Tenant-Id", "acme")
			r.Header.Set("Content-Type", "text/plain")
		})
		refused := []string{"401", "421", "405", "404", "415"}
		if level == slog.LevelDebug { // an answer may be here before its record is written
			eventually(t, func() bool { return strings.Count(log.String(), `"event":"request-refused"`) >= len(refused) })
		}
		flush(t, s)
		for _, status := range refused {
			if got := strings.Count(log.String(), `"event":"request-refused","status":`+status+","); got != 1 && level == slog.LevelDebug || got != 0 && level == slog.LevelInfo {
				t.Errorf("level %v: %d records of a %s:\n%s", level, got, status, log)
			}
		}
		if strings.Contains(log.String(), "wrong-token-value") || strings.Contains(log.String(), strings.Repeat("long", 60)) {
			t.Errorf("the records show too much:\n%s", log)
		}
	}
}

// flush waits until every record is written.
func flush(t testing.TB, s *running) {
	t.Helper()
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
}
