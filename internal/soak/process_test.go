//go:build linux

package soak_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// token is the service's; most is its concurrency cap.
const (
	token = "soak-token"
	most  = 8
)

// process is a running pack.
type process struct {
	t       *testing.T
	command *exec.Cmd
	address string
	ranFile string
	client  *http.Client
	records sync.WaitGroup
}

// build builds the pack once for the test.
func build(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "pack")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "./pack").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// start starts the pack and waits until it listens.
func start(t *testing.T, binary string, env ...string) *process {
	t.Helper()
	p := &process{t: t, ranFile: filepath.Join(t.TempDir(), "ran"), client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	p.command = exec.Command(binary, "--host", "127.0.0.1")
	p.command.Env = append(env, "PORT=0", "KINDGI_PACK_SERVICE_TOKEN="+token, "SOAK_RAN="+p.ranFile,
		fmt.Sprintf("KINDGI_PACK_SERVICE_MAX_CONCURRENCY=%d", most))
	stderr, err := p.command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.command.Process.Kill() })
	lines := bufio.NewReader(stderr)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("the pack did not come up: %v", err)
		}
		var record struct {
			Kind string `json:"kind"`
			Port int    `json:"port"`
		}
		if json.Unmarshal([]byte(line), &record) == nil && record.Kind == "listening" {
			p.address = fmt.Sprintf("127.0.0.1:%d", record.Port)
			break
		}
	}
	p.records.Go(func() { _, _ = io.Copy(io.Discard, lines) })
	return p
}

// stop sends SIGTERM and demands that the process exits 0.
func (p *process) stop() {
	p.t.Helper()
	p.client.CloseIdleConnections()
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Error(err)
	}
	p.records.Wait()
	if err := p.command.Wait(); err != nil {
		p.t.Errorf("the pack's exit: %v", err)
	}
}

// ran gives the ids of the calls that ran.
func (p *process) ran() map[string]bool {
	p.t.Helper()
	data, err := os.ReadFile(p.ranFile)
	if err != nil {
		p.t.Fatal(err)
	}
	ids := map[string]bool{}
	for id := range strings.FieldsSeq(string(data)) {
		ids[id] = true
	}
	return ids
}

// message is a call's message.
func message(tool, input string) string {
	return fmt.Sprintf(`{"v":2,"kind":"invoke","tool":{"id":%q},"input":%s,"ctx":{"tenantId":"t","runId":"r"}}`, tool, input)
}

// post makes a call and gives its status and its body; an error when there was no answer.
func (p *process) post(body string, timeout time.Duration) (int, string, error) {
	r, err := http.NewRequest(http.MethodPost, "http://"+p.address+"/v1/invoke", strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Kindgi-Pack-Token", token)
	r.Header.Set("Kindgi-Timeout-Ms", fmt.Sprint(timeout.Milliseconds()))
	response, err := p.client.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	return response.StatusCode, string(data), err
}

// stats asks the pack for its numbers.
func (p *process) stats() (s struct {
	Goroutines, Files int
	Heap              uint64
	MostAtOnce        int64
}) {
	p.t.Helper()
	var result struct{ Output json.RawMessage }
	for deadline := time.Now().Add(20 * time.Second); ; {
		status, body, err := p.post(message("soak.stats", `{}`), 10*time.Second)
		if err == nil && status == http.StatusOK && json.Unmarshal([]byte(body), &result) == nil && json.Unmarshal(result.Output, &s) == nil {
			return s
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("no numbers: %d %s, %v", status, body, err)
		}
	}
}
