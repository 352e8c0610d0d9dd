package pack

import (
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"time"

	"log/slog"

	"github.com/kindgi/kindgi-go/protocol"
)

var jsonType = []string{"application/json; charset=utf-8"}

// answer writes a whole answer.
func answer(w http.ResponseWriter, status int, body []byte) {
	w.Header()["Content-Length"] = []string{strconv.Itoa(len(body))}
	write(w, http.NewResponseController(w), status, body, nil)
}

// write writes an answer, whose Content-Length is set, and hands it to the network at once,
// so that what has been answered stays answered if the process ends right after.
//
// pace, if any, tells when the reader is no longer to be waited for.
func write(w http.ResponseWriter, control *http.ResponseController, status int, body []byte, pace *pace) {
	w.Header()["Content-Type"] = jsonType
	w.WriteHeader(status)
	if pace != nil {
		pace.writing.Store(true)
		defer pace.writing.Store(false)
	}
	// The errors say that the caller has gone or that the writer cannot flush: there is
	// nobody left to tell.
	if len(body) <= quickAnswer {
		pace.keep(control)
		_, _ = w.Write(body)
		_ = control.Flush()
		return
	}
	// A long answer waits for its reader, and holds its memory meanwhile: a reader that takes
	// nothing for a while has gone. The time is that of one part, so that no answer is too
	// long for a slow line.
	for len(body) > 0 {
		n := min(len(body), answerPart)
		_ = control.SetWriteDeadline(time.Now().Add(partTime))
		pace.keep(control)
		if _, err := w.Write(body[:n]); err != nil {
			return
		}
		body = body[n:]
	}
	if control.Flush() == nil {
		_ = control.SetWriteDeadline(time.Time{})
	}
}

// pace is how long an answer waits for its reader: as long as it takes to be a slow one, or only a
// moment, once the service has no more time.
type pace struct{ writing, hurried atomic.Bool }

// hurry has what is being written, and what will be, wait no more than a moment.
func (p *pace) hurry(control *http.ResponseController) {
	p.hurried.Store(true)
	if p.writing.Load() {
		p.keep(control)
	}
}

// keep sets the deadline of a hurried answer.
func (p *pace) keep(control *http.ResponseController) {
	if p != nil && p.hurried.Load() {
		_ = control.SetWriteDeadline(time.Now().Add(lastAnswers / 2))
	}
}

// An answer of more than quickAnswer bytes, which may not fit into what the system keeps for its
// reader, is written in parts of answerPart bytes; partTime bounds the wait for a reader to take one.
const (
	quickAnswer = 16 << 10
	answerPart  = 256 << 10
	partTime    = 30 * time.Second
)

// lingerBytes and lingerTime bound what is read, and thrown away, of a body that was
// refused. Closing the connection on a caller who still sends would make its system drop
// the answer before the caller has read it.
const (
	lingerBytes = 64 << 20
	lingerTime  = 5 * time.Second
	// strangerTime is the same for a caller that has shown no token, of whose body net/http
	// reads 256 KiB at most.
	strangerTime = 500 * time.Millisecond
)

// refuse answers a request whose body is not read, whatever the status, and if it has one
// ends the connection: what follows on it would be that body. The answer does not wait
// for the body; the end of the connection does, for a moment.
func refuse(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	if r.ContentLength == 0 { // no body: the connection goes on
		answer(w, status, body)
		return
	}
	control := http.NewResponseController(w)
	w.Header()["Connection"] = closeConnection
	_ = control.EnableFullDuplex() // or net/http reads of the body before it answers
	answer(w, status, body)
	_ = control.SetReadDeadline(time.Now().Add(strangerTime)) // or net/http waits for it without end
}

var (
	closeConnection = []string{"close"}
	longAgo         = time.Unix(1, 0)
)

// refuseSender is refuse for a caller that has shown the token: it gets the time to send
// its body and so to come to read the answer.
func refuseSender(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	if r.ContentLength == 0 {
		answer(w, status, body)
		return
	}
	control := http.NewResponseController(w)
	_ = control.EnableFullDuplex()
	last := r.ContentLength < 0 || r.ContentLength > protocol.MaxBodyBytes
	if last {
		w.Header()["Connection"] = closeConnection
	}
	answer(w, status, body)
	_ = control.SetReadDeadline(time.Now().Add(lingerTime))
	if _, err := io.CopyN(io.Discard, r.Body, lingerBytes); err == io.EOF {
		_ = control.SetReadDeadline(time.Time{})
	} else if !last {
		// The rest may still come. net/http would take it for the next request.
		panic(http.ErrAbortHandler)
	}
}

// answerPanic answers 500 when the service itself fails. The panic of an author's code
// never comes here.
func (s *Service) answerPanic(w http.ResponseWriter, r *http.Request) {
	p := recover()
	if p == nil {
		return
	}
	if p == http.ErrAbortHandler {
		panic(p) // how a server or a middleware ends a connection
	}
	s.log.Event(slog.LevelError, "service-failed", "the service failed: "+fmt.Sprint(p), nil,
		slog.String("path", r.URL.EscapedPath()), slog.String("stack", string(debug.Stack())))
	refuse(w, r, http.StatusInternalServerError, errorBody("The service failed"))
}
