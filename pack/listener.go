package pack

import (
	"bytes"
	"net"
	"net/http"
	"strconv"
	"time"
)

// listener makes every answer of the process JSON: those too that net/http gives by itself,
// as plain text without a length, to what it cannot read as a request.
type listener struct{ net.Listener }

func (l listener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if tcp, ok := conn.(*net.TCPConn); ok {
		conn = &clientConn{tcp}
	}
	return conn, err
}

// clientConn is a connection on which the service alone answers, which answers in JSON: what
// begins as net/http's own answers do is one of them. It cannot be a part of a JSON text,
// where a line's end never follows these words.
type clientConn struct{ *net.TCPConn }

const (
	// plainHeaders follow the status line of net/http's own answers, and end their head.
	plainHeaders = "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"
	// longestStatusLine is longer than any of those lines.
	longestStatusLine = 128
)

// Write writes b, or JSON that says the same.
func (c *clientConn) Write(b []byte) (int, error) {
	if len(b) < len("HTTP/1.1 400 ") || b[0] != 'H' || string(b[:len("HTTP/1.")]) != "HTTP/1." {
		return c.TCPConn.Write(b)
	}
	own := ownAnswer(b)
	if own == nil {
		return c.TCPConn.Write(b)
	}
	if _, err := c.TCPConn.Write(own); err != nil {
		return 0, err
	}
	return len(b), nil
}

// ownAnswer gives what is to be written for an answer of net/http's own, nil for any other. The
// connection ends after it, as net/http has it.
func ownAnswer(b []byte) []byte {
	status := string(b[len("HTTP/1.1 "):len("HTTP/1.1 400")])
	var text []byte
	switch end := bytes.IndexByte(b[:min(len(b), longestStatusLine)], '\r'); {
	case end < 0:
		return nil
	case bytes.HasPrefix(b[end:], []byte(plainHeaders)):
		text = bytes.TrimPrefix(b[end+len(plainHeaders):], []byte(status+" "))
	case status == "417": // an Expect header of any other value than 100-continue
		text = []byte("Expectation Failed")
	default:
		return nil
	}
	code, err := strconv.Atoi(status)
	if err != nil {
		return nil
	}
	body := errorBody(string(text))
	own := append([]byte("HTTP/1.1 "+status+" "), http.StatusText(code)...)
	own = append(own, "\r\nContent-Type: "+jsonType[0]+"\r\nContent-Length: "+strconv.Itoa(len(body))...)
	own = append(own, "\r\nConnection: close\r\nDate: "...)
	own = time.Now().UTC().AppendFormat(own, http.TimeFormat)
	return append(append(own, "\r\n\r\n"...), body...)
}
