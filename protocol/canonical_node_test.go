package protocol_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/kindgi/kindgi-go/protocol"
)

// blockSize is how many values share one line of the recorded hashes.
const blockSize = 100

// TestCanonicalAgreesWithNode compares the canonical form of some 17,000 values with what node writes:
// numbers of every magnitude, every code point in values and in names, names in every order. Node's
// answers are recorded as hashes; where node is at hand it is asked again, value by value.
func TestCanonicalAgreesWithNode(t *testing.T) {
	t.Parallel()
	documents := canonicalDocuments()
	if len(documents) < 10000 {
		t.Fatalf("only %d values", len(documents))
	}
	var answers []string
	for _, document := range documents {
		compact, err := protocol.AppendCanonical(nil, []byte(document), "")
		if err != nil {
			t.Fatalf("%s: %v", document, err)
		}
		pretty, err := protocol.AppendCanonical(nil, []byte(document), "  ")
		if err != nil {
			t.Fatalf("%s: %v", document, err)
		}
		answers = append(answers, string(compact)+"\n"+string(pretty)+"\n")
	}

	node, err := exec.LookPath("node")
	if err != nil && *update {
		t.Fatal("node is not installed: its answers cannot be recorded")
	} else if err != nil {
		t.Log("node is not installed: compared with its recorded answers only")
	} else {
		askNode(t, node, documents, answers)
	}
	if !t.Failed() {
		golden(t, "canonical/answers.sha256", blockHashes(answers))
	}
}

func askNode(t *testing.T, node string, documents, answers []string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), node, "testdata/canonical/stringify.mjs")
	cmd.Stdin = strings.NewReader(strings.Join(documents, "\n") + "\n")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, &stderr)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	n := 0
	for ; lines.Scan(); n++ {
		var forms [2]string
		if err := json.Unmarshal(lines.Bytes(), &forms); err != nil {
			t.Fatal(err)
		}
		if want := forms[0] + "\n" + forms[1] + "\n"; answers[n] != want {
			t.Errorf("%s\ngot  %s\nnode %s", documents[n], answers[n], want)
		}
	}
	if err := lines.Err(); err != nil || n != len(documents) {
		t.Fatalf("node answered %d of %d values: %v", n, len(documents), err)
	}
}

func blockHashes(answers []string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%d values, a hash for each %d\n", len(answers), blockSize)
	for i := 0; i < len(answers); i += blockSize {
		sum := sha256.Sum256([]byte(strings.Join(answers[i:min(i+blockSize, len(answers))], "")))
		fmt.Fprintln(&b, hex.EncodeToString(sum[:16]))
	}
	return b.Bytes()
}

// canonicalDocuments gives the same documents every time, none with a line break.
func canonicalDocuments() []string {
	r := rand.New(rand.NewPCG(1, 2))
	var list []string
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }

	// Numbers: the edges of each form, every power of ten and of two, random bits, long digits.
	list = append(list,
		"0", "-0", "0.0", "-0.0", "0e0", "-0E-5", "0e400", "1.0", "1e0", "10e-1", "1E+2", "-1.50", "0.1e1",
		"9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740993", "18446744073709551615",
		"999999999999999", "9999999999999999", "123456789012345678901", "999999999999999900000", "1e20", "1e21", "1e22",
		"100000000000000000000", "1000000000000000000000", "0.000001", "0.0000001", "1e-6", "1e-7", "9.5e-7", "0.00000123",
		"5e-324", "2.2250738585072014e-308", "2.2250738585072011e-308", "1.7976931348623157e308", "-1.7976931348623157E+308",
		"4.35", "0.3", "0.30000000000000004", "2.675", "1.005", "123456.789e3", "5e-7", "1.5e+300", "4.4501477170144023e-308",
	)
	for e := -323; e <= 308; e++ {
		add("1e%d", e)
		add("-9.87654321e%d", max(min(e, 307), -300))
		add("[%d.%de%d]", r.IntN(10), r.IntN(1000000), max(min(e, 300), -300))
	}
	for e := -1074; e <= 1023; e++ {
		list = append(list, strconv.FormatFloat(math.Ldexp(1, e), 'e', -1, 64))
	}
	for n := 0; n < 4000; {
		f := math.Float64frombits(r.Uint64())
		if math.IsNaN(f) || math.IsInf(f, 0) {
			continue
		}
		n++
		switch n % 4 {
		case 0:
			list = append(list, strconv.FormatFloat(f, 'e', 25, 64))
		case 1:
			list = append(list, strconv.FormatFloat(f, 'G', 15, 64))
		default:
			list = append(list, strconv.FormatFloat(f, 'g', -1, 64))
		}
	}
	for i := range 1500 {
		digits := make([]byte, 1+i%300)
		for j := range digits {
			digits[j] = '0' + byte(r.IntN(10))
		}
		digits[0] = '1' + byte(r.IntN(9))
		list = append(list, string(digits))
		add("-0.%s", digits)
		add("%s.%se%d", digits[:1], digits, r.IntN(600)-300)
	}

	// Every code point, as itself where JSON allows it and escaped, in values and in names.
	var raw, escaped strings.Builder
	for c := rune(0); c <= utf8.MaxRune; c++ {
		if !utf8.ValidRune(c) {
			continue
		}
		switch {
		case c < 0x20 || c == '"' || c == '\\':
			fmt.Fprintf(&raw, `\u%04X`, c)
		default:
			raw.WriteRune(c)
		}
		for _, unit := range utf16.Encode([]rune{c}) {
			fmt.Fprintf(&escaped, `\u%04x`, unit)
		}
		if c%1024 == 1023 || c == utf8.MaxRune {
			add(`"%s"`, &raw)
			add(`["%s"]`, &escaped)
			raw.Reset()
			escaped.Reset()
		}
	}
	for _, s := range []string{`\b\t\n\f\r`, `\/`, `\"`, `\\`, "\u007f\u0080\u2028\u2029\ufeff\ufffe\uffff", `😀`, ``} {
		add(`"%s"`, s)
		add(`{"%s":"%s"}`, s, s)
	}

	// Names: random ones drawn from where the orders differ, in random order.
	alphabet := []rune("\x00\x1f 019Aaz~\u007f\u0080\u00e9\u07ff\u0800\ud7ff\ue000\ufeff\uffff\U00010000\U0001F600\U0010FFFF")
	for i := range 2500 {
		names := map[string]bool{}
		var members []string
		for range 1 + r.IntN(12) {
			var name strings.Builder
			for range r.IntN(4) {
				name.WriteRune(alphabet[r.IntN(len(alphabet))])
			}
			if i%3 == 0 {
				name.WriteString(strconv.Itoa(r.IntN(200)))
			}
			if names[name.String()] {
				continue
			}
			names[name.String()] = true
			quoted, err := json.Marshal(name.String()) // escapes some that need none
			if err != nil {
				panic(err)
			}
			members = append(members, fmt.Sprintf(`%s : %d.0`, quoted, r.IntN(1000)))
		}
		add("{%s}", strings.Join(members, ","))
	}

	// Shapes.
	for range 2000 {
		var b strings.Builder
		randomValue(&b, r, 0)
		list = append(list, b.String())
	}
	return list
}

func randomValue(b *strings.Builder, r *rand.Rand, depth int) {
	kind := r.IntN(8)
	if depth == 0 {
		kind = 6 + r.IntN(2)
	} else if depth > 5 {
		kind = r.IntN(6)
	}
	space := []string{"", " ", "\t", "  "}[r.IntN(4)]
	switch kind {
	case 0, 1:
		b.WriteString([]string{"null", "true", "false"}[r.IntN(3)])
	case 2, 3:
		fmt.Fprintf(b, "%de%d", r.IntN(2000)-1000, r.IntN(40)-20)
	case 4, 5:
		fmt.Fprintf(b, `"%c\u%04x"`, rune(0x20a0+r.IntN(100)), r.IntN(0xd000))
	case 6:
		b.WriteString("[" + space)
		for i := range r.IntN(5) {
			if i > 0 {
				b.WriteString("," + space)
			}
			randomValue(b, r, depth+1)
		}
		b.WriteString(space + "]")
	case 7:
		b.WriteString("{" + space)
		n := r.IntN(5)
		for i, k := range r.Perm(20)[:n] {
			if i > 0 {
				b.WriteString("," + space)
			}
			fmt.Fprintf(b, `"%s"%s:`, []string{"b", "a", "10", "9", "B", "_", "é", "\uffff", "😀", "", "aa", "a b", "__proto__", "constructor", "toString", "1", "01", "-1", "1e3", "z"}[k], space)
			randomValue(b, r, depth+1)
		}
		b.WriteString(space + "}")
	}
}
