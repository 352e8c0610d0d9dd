package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/kindgi/kindgi-go/pack/packtest"
)

func TestPack(t *testing.T) {
	t.Parallel()
	if err := packtest.Check(newPack()); err != nil {
		t.Error(err)
	}
}

// TestEmbedded calls the pack and the application at one address, and stops both.
func TestEmbedded(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, listener, "secret") }()
	base := "http://" + listener.Addr().String()

	call := func(tool string) string {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/pack/v1/invoke", strings.NewReader(
			`{"v":2,"kind":"invoke","tool":{"id":"`+tool+`"},"input":{"text":"two words"},"ctx":{"tenantId":"t","runId":"r"}}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Kindgi-Pack-Token", "secret")
		return do(t, r)
	}
	if got := call("acme.text.count"); got != `{"v":2,"kind":"result","output":{"words":2,"bytes":9}}` {
		t.Errorf("got %s", got)
	}
	for _, tool := range []string{"any", "other"} {
		if got := call(tool); !strings.Contains(got, "tool-not-in-pack") {
			t.Errorf("got %s", got)
		}
	}
	// OnCall is told once the answer is out: the application may have to be asked again.
	const want = `the application; its pack has answered the calls {"acme.text.count ok": 1, "unknown tool-not-in-pack": 2}` + "\n"
	got := ""
	for range 1000 {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		if got = do(t, r); got == want {
			break
		}
	}
	if got != want {
		t.Errorf("got %s", got)
	}
	http.DefaultClient.CloseIdleConnections()
	stop()
	if err := <-ended; err != nil {
		t.Errorf("stopping: %v", err)
	}
}

func do(t *testing.T, r *http.Request) string {
	t.Helper()
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
