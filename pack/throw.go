package pack

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"

	"github.com/kindgi/kindgi-go/internal/cause"
	"github.com/kindgi/kindgi-go/internal/record"
)

// throw is an error that the author's function returned, or a panic in it: what the
// protocol's message says of it. It does not keep the error, whose methods are the
// author's code: they run where the handler runs, and nowhere else.
type throw struct {
	name  string
	text  string
	stack string
	// panicked: it is a panic's. gaveUp: the error says that a context has ended.
	panicked, gaveUp bool
}

func (e *throw) Error() string { return e.text }

// threw takes from an error that the author's function returned what is to be said of it.
// It runs the author's code.
func threw(err error) (t *throw) {
	if v := reflect.ValueOf(err); v.Kind() == reflect.Pointer && v.IsNil() {
		// A pointer that is nil makes an error that is not: a mistake that every Go programmer
		// makes once. Its methods may be fit for that.
		defer func() {
			if recover() != nil {
				text := fmt.Sprintf("the handler returned a nil %T as its error: return a plain nil when there is none", err)
				t = &throw{name: "TypeError", text: text, stack: "TypeError: " + text}
			}
		}()
	}
	name := record.ErrorName(err)
	return &throw{
		name: name, text: bounded(err.Error()), stack: bounded(chain(name, err)),
		gaveUp: cause.Is(err, context.Canceled) || cause.Is(err, context.DeadlineExceeded),
	}
}

// longestText bounds, in bytes, what an answer says of an error: it goes to a model, and
// stands there three times.
const longestText = 64 << 10

func bounded(text string) string {
	if len(text) <= longestText {
		return text
	}
	return strings.ToValidUTF8(text[:longestText], "") + fmt.Sprintf("… (%d bytes more)", len(text)-longestText)
}

// longestChain is how many errors an error's chain shows; one that wraps itself has no end.
const longestChain = 32

// chain gives the errors that err wraps, a line each: the nearest thing to a stack that a
// Go error has.
func chain(name string, err error) string {
	var b strings.Builder
	b.WriteString(name + ": " + err.Error())
	for range longestChain {
		err = errors.Unwrap(err)
		if err == nil {
			return b.String()
		}
		fmt.Fprintf(&b, "\n    caused by %s: %s", record.ErrorName(err), err)
	}
	b.WriteString("\n    …")
	return b.String()
}

// errExited is what comes of code that called [runtime.Goexit].
var errExited = &throw{name: "Goexit", text: "the handler ended its goroutine with runtime.Goexit",
	stack: "Goexit: the handler ended its goroutine with runtime.Goexit"}

// panicked is what comes of code that panicked with p. Printing p runs the author's code.
func panicked(p any) *throw {
	stack := string(debug.Stack())
	return &throw{name: "panic", text: bounded(printed(p)), stack: bounded(stack), panicked: true}
}

// printed prints a panic's value, unless that panics: package fmt survives only the first
// panic of a value's method.
func printed(p any) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("a value of type %T that cannot be printed", p)
		}
	}()
	if err, ok := p.(error); ok {
		return err.Error()
	}
	return fmt.Sprint(p)
}
