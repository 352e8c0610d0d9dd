package idempotency_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kindgi/kindgi-go/idempotency"
)

var update = flag.Bool("update", false, "record node's answers anew (needs node and python3)")

const (
	differentialCases = 10_000
	casesPerDigest    = 100
	digestFile        = "testdata/stepkeys.sha256"
)

// referees are the implementations that a step's key must agree with.
var referees = [][]string{{"node", "testdata/stepkey.mjs"}, {"python3", "testdata/stepkey.py"}}

// differentialSteps gives the same steps in every run. Their strings are made of what JSON writers
// disagree about, and of any other character.
func differentialSteps() []idempotency.Step {
	random := rand.NewPCG(2019, 8259)
	n := func(n int) int { return int(random.Uint64() % uint64(n)) }
	special := []rune("\"\\/<>&'\u007f\u0080\u009f\u00a0\u00adé\u0301\u2028\u2029\u200b\u200d\ufeff\ufffd\ufffe\uffff\ud7ff\ue000\U00010000\U0001f600\U000e0001\U0010ffff")
	character := func() rune {
		switch n(6) {
		case 0:
			return rune(n(0x20)) // control characters, U+0000 among them
		case 1, 2:
			return special[n(len(special))]
		case 3:
			return rune(0x20 + n(0x5f)) // printable ASCII
		case 4:
			return rune(0x10000 + n(0x100000)) // beyond the basic plane
		default:
			for {
				if r := rune(n(0x10000)); utf8.ValidRune(r) {
					return r
				}
			}
		}
	}
	text := func() string {
		length := n(12)
		if n(100) == 0 {
			length = 500 + n(5000)
		}
		var b strings.Builder
		for range length {
			b.WriteRune(character())
		}
		return b.String()
	}
	steps := make([]idempotency.Step, differentialCases)
	for i := range steps {
		switch i % 4 {
		case 0: // as runtimes send them, with one odd part
			steps[i] = idempotency.Step{RunID: exampleRun, Scope: text(), ToolID: "acme.payments.charge"}
		case 1:
			steps[i] = idempotency.Step{RunID: exampleRun, Scope: fmt.Sprintf("agent-loop#%d/dispatch-tools", i), ToolID: "acme.refunds.issue", CallID: text()}
		default:
			steps[i] = idempotency.Step{RunID: text(), Scope: text(), ToolID: text(), CallID: text()}
		}
	}
	// Every character below U+0100 once, and nothing at all.
	for i := range 0x100 {
		steps[i].Scope = string(rune(i))
	}
	steps[0x100] = idempotency.Step{}
	return steps
}

func TestStepKeyAgreesWithOtherLanguages(t *testing.T) {
	t.Parallel()
	steps := differentialSteps()
	var input bytes.Buffer
	keys := make([]string, len(steps))
	for i, step := range steps {
		key, err := step.Key()
		if err != nil {
			t.Fatalf("case %d, %+q: %v", i, step, err)
		}
		keys[i] = key
		parts := []string{step.RunID, step.Scope, step.ToolID}
		if step.CallID != "" {
			parts = append(parts, step.CallID)
		}
		for j, part := range parts {
			if j > 0 {
				input.WriteByte(',')
			}
			input.WriteString(base64.StdEncoding.EncodeToString([]byte(part)))
		}
		input.WriteByte('\n')
	}
	for _, referee := range referees {
		t.Run(referee[0], func(t *testing.T) {
			path, err := exec.LookPath(referee[0])
			if err != nil {
				if *update {
					t.Fatal(err)
				}
				t.Skipf("%v: the recorded answers alone are checked", err)
			}
			command := exec.CommandContext(t.Context(), path, referee[1:]...)
			command.Stdin = bytes.NewReader(input.Bytes())
			command.Stderr = os.Stderr
			output, err := command.Output()
			if err != nil {
				t.Fatal(err)
			}
			answers := strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(output), "\r", ""), "\n"), "\n")
			if len(answers) != len(keys) {
				t.Fatalf("%d answers to %d cases", len(answers), len(keys))
			}
			for i, want := range answers {
				if keys[i] != want {
					t.Fatalf("case %d, %+q: got %s, want %s", i, steps[i], keys[i], want)
				}
			}
			if *update && referee[0] == "node" {
				if err := os.WriteFile(filepath.FromSlash(digestFile), digests(answers), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	t.Run("recorded", func(t *testing.T) {
		want, err := os.ReadFile(filepath.FromSlash(digestFile))
		if err != nil {
			t.Fatal(err)
		}
		if got := digests(keys); !bytes.Equal(got, want) {
			gotLines, wantLines := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
			for i := range min(len(gotLines), len(wantLines)) {
				if gotLines[i] != wantLines[i] {
					t.Errorf("the keys differ from the recorded ones: got %s, want %s", gotLines[i], wantLines[i])
				}
			}
			if len(gotLines) != len(wantLines) {
				t.Errorf("%d lines, want %d", len(gotLines), len(wantLines))
			}
		}
	})
}

// digests gives a digest for every hundred keys: enough to notice one wrong bit, and small.
func digests(keys []string) []byte {
	var b bytes.Buffer
	for i := 0; i < len(keys); i += casesPerDigest {
		block := keys[i:min(i+casesPerDigest, len(keys))]
		fmt.Fprintf(&b, "%04d %x\n", i, sha256.Sum256([]byte(strings.Join(block, "\n"))))
	}
	return b.Bytes()
}
