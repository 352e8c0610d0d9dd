package pack

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/protocol"
)

// bufferedAnswer is a ResponseWriter that keeps the answer.
type bufferedAnswer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *bufferedAnswer) Header() http.Header {
	if w.header == nil {
		w.header = http.Header{}
	}
	return w.header
}
func (w *bufferedAnswer) WriteHeader(status int)      { w.status = status }
func (w *bufferedAnswer) Write(b []byte) (int, error) { return w.body.Write(b) }

// printAnswer prints an answer as a person reads it.
func printAnswer(w *bufferedAnswer, color bool, p program) int {
	if w.status != http.StatusOK {
		_, _ = fmt.Fprintf(p.stderr, "call: the service answered %d: %s\n", w.status, w.body.Bytes())
		return exitFailed
	}
	response, err := protocol.ParseResponse(w.body.Bytes())
	if err != nil {
		return failed(p, "call", err)
	}
	code := exitOK
	var value jsontext.Value
	switch m := response.(type) {
	case *protocol.Error:
		printError(m, color, p)
		return exitFailed
	case *protocol.ToolResult:
		value = m.Output
	case *protocol.CheckResult:
		if value, err = json.Marshal(m); err != nil {
			return failed(p, "call", err)
		}
		if !m.Passed {
			code = exitNotPassed
		}
	}
	if err := value.Indent(jsontext.WithIndent("  ")); err != nil {
		return failed(p, "call", err)
	}
	_, _ = fmt.Fprintf(p.stdout, "%s\n", value)
	return code
}

// printError prints an error message with its issues, a line each.
func printError(e *protocol.Error, color bool, p program) {
	red, bold, off := "", "", ""
	if color {
		red, bold, off = "\x1b[31m", "\x1b[1m", "\x1b[0m"
	}
	message := e.Message
	if len(e.Issues) > 0 {
		// A check's message has the first issue, which stands below, with more of it.
		message = strings.TrimSuffix(message, describe(e.Issues[0]))
	}
	_, _ = fmt.Fprintf(p.stderr, "%s%s%s: %s\n", red, e.Code, off, message)
	for _, issue := range e.Issues {
		where := issue.InstancePath
		if where == "" {
			where = "the whole value"
		}
		_, _ = fmt.Fprintf(p.stderr, "  %s%s%s %s%s\n", bold, where, off, issue.Message, issueDetail(issue))
	}
	if e.Cause != nil && strings.Contains(e.Cause.Stack, "\n") {
		_, _ = fmt.Fprintf(p.stderr, "\n%s\n", e.Cause.Stack)
	}
}

// issueDetail adds what an issue's message leaves to its parameters.
func issueDetail(issue protocol.Issue) string {
	switch issue.Keyword {
	case "additionalProperties", "unevaluatedProperties", "enum", "const", "propertyNames":
		return " " + string(issue.Params)
	}
	return ""
}

// color reports whether to colour what is written to w: on a terminal, unless NO_COLOR
// (no-color.org) says otherwise.
func (p program) color(w io.Writer) bool {
	return p.getenv(envNoColor) == "" && onTerminal(w)
}

// onTerminal reports whether what is written to w is seen on a terminal.
func onTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isTerminal(f)
}
