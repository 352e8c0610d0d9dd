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

	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/pack/v1/invoke", strings.NewReader(
		`{"v":2,"kind":"invoke","tool":{"id":"acme.text.count"},"input":{"text":"two words"},"ctx":{"tenantId":"t","runId":"r"}}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Kindgi-Pack-Token", "secret")
	if got := do(t, r); got != `{"v":2,"kind":"result","output":{"words":2,"bytes":9}}` {
		t.Errorf("got %s", got)
	}
	// OnCall is told once the answer is out: the application may have to be asked again.
	got := ""
	for range 1000 {
		if r, err = http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/", nil); err != nil {
			t.Fatal(err)
		}
		if got = do(t, r); got == "the application; its pack has answered 1 calls\n" {
			break
		}
	}
	if got != "the application; its pack has answered 1 calls\n" {
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
