package protocol

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// Request is a message a runtime sends: a [*ToolInvoke] or a [*CheckInvoke].
type Request interface {
	// AppendTo appends the message's JSON to b.
	AppendTo(b []byte) []byte

	request()
}

// ToolInvoke asks to run a tool handler.
type ToolInvoke struct {
	ToolID  string
	Version string         // "" when the caller named none
	Input   jsontext.Value // as sent, nil when absent; aliases the body
	Context CallContext
}

// CheckInvoke asks to run a guardrail check.
type CheckInvoke struct {
	CheckID string
	Config  jsontext.Value // as sent, an object; aliases the body
	Trace   jsontext.Value // as sent, nil when absent; aliases the body
}

func (*ToolInvoke) request()  {}
func (*CheckInvoke) request() {}

// ParseRequest reads a request message. The error is always an [*Error], the message that answers it.
//
// The checks are made in the order of the pack contract, section 3, and the first to fail answers:
// one JSON value that Go can hold, without duplicate members (a byte order mark is not JSON); an
// object; v; kind; then what the kind needs. v is compared as a number, so 2.0 and 2e0 are version 2.
// Names match exactly, also when the sender escaped them. Members that this version does not know are
// never an error.
//
// The message quotes v as JSON.stringify would ("Expected protocol v2, got \"2\""), and a missing one
// as undefined. It shows kind as a JavaScript template would when it is text (Unknown request kind
// ping) or missing (undefined), and as JSON otherwise. Either is cut after 200 bytes.
//
// Nothing is decoded but the ids and the context's maps: Input, Config, Trace and Context.Raw are
// slices of body, which must not be changed while they are in use.
func ParseRequest(body []byte) (Request, error) {
	var members scan.MemberList
	if err := scan.Members(body, &members); err != nil {
		return nil, &Error{
			Code:    MalformedMessage,
			Message: "Request body is not valid JSON",
			Cause:   &Cause{Name: "SyntaxError", Message: err.Error()},
		}
	}
	if body[scan.Space(body, 0)] != '{' {
		return nil, malformed("Message must be a JSON object")
	}
	var e envelope
	for i := range members.Len() {
		m := members.At(i)
		value := body[m.Value:m.ValueEnd:m.ValueEnd]
		switch string(scan.Unquote(body[m.Name:m.NameEnd])) {
		case "v":
			e.v = value
		case "kind":
			e.kind = value
		case "tool":
			e.tool = value
		case "input":
			e.input = value
		case "ctx":
			e.ctx = value
		case "check":
			e.check = value
		case "config":
			e.config = value
		case "trace":
			e.trace = value
		}
	}
	if !isVersion(e.v) {
		return nil, &Error{Code: UnknownProtocolVersion, Message: "Expected protocol v2, got " + inJSON(e.v)}
	}
	if isString(e.kind) {
		switch string(scan.Unquote(e.kind)) {
		case "invoke":
			return e.toolInvoke()
		case "check-invoke":
			return e.checkInvoke()
		}
	}
	return nil, &Error{Code: UnexpectedMessageKind, Message: "Unknown request kind " + plain(e.kind)}
}

// envelope has the members of a request, nil where there are none.
type envelope struct{ v, kind, tool, input, ctx, check, config, trace []byte }

func (e *envelope) toolInvoke() (Request, error) {
	var id, version []byte
	if isObject(e.tool) {
		members := cursor{e.tool, 1}
		for {
			name, value, ok := members.next()
			if !ok {
				break
			}
			switch string(name) {
			case "id":
				id = value
			case "version":
				version = value
			}
		}
	}
	switch {
	case !isString(id) || len(id) == 2:
		return nil, malformed("`tool.id` is required")
	case version != nil && !isString(version):
		return nil, malformed("`tool.version` must be a string")
	}
	m := &ToolInvoke{Input: e.input}
	var t texts
	t.add(&m.ToolID, id)
	if version != nil {
		t.add(&m.Version, version)
	}
	if !m.Context.read(e.ctx, &t) {
		return nil, malformed("`ctx` needs string `tenantId` and `runId`")
	}
	t.set()
	return m, nil
}

// read takes the members of ctx; it is false when it is no object or lacks the two ids.
func (c *CallContext) read(ctx []byte, t *texts) bool {
	if !isObject(ctx) {
		return false
	}
	c.Raw = ctx
	tenant, run := false, false
	members := cursor{ctx, 1}
	for {
		name, value, ok := members.next()
		if !ok {
			return tenant && run
		}
		switch string(name) {
		case "tenantId":
			tenant = t.add(&c.TenantID, value)
		case "runId":
			run = t.add(&c.RunID, value)
		case "projectId":
			t.add(&c.ProjectID, value)
		case "orgId":
			t.add(&c.OrgID, value)
		case "requestId":
			t.add(&c.RequestID, value)
		case "idempotencyKey":
			t.add(&c.IdempotencyKey, value)
		case "env":
			c.Env = readTexts(value)
		case "secrets":
			c.Secrets, _ = readValues(value)
		case "config":
			c.Config, _ = readValues(value)
		case "settings":
			c.Settings, _ = readValues(value)
		}
	}
}

// readTexts gives the members of value that are strings, nil when it is no object.
func readTexts(value []byte) map[string]string {
	members, ok := openObject(value)
	if !ok {
		return nil
	}
	m := make(map[string]string)
	for {
		name, value, ok := members.next()
		if !ok {
			return m
		}
		if isString(value) {
			m[string(name)] = string(scan.Unquote(value))
		}
	}
}

func (e *envelope) checkInvoke() (Request, error) {
	var id []byte
	if isObject(e.check) {
		members := cursor{e.check, 1}
		for {
			name, value, ok := members.next()
			if !ok {
				break
			}
			if string(name) == "id" {
				id = value
			}
		}
	}
	switch {
	case !isString(id) || len(id) == 2:
		return nil, malformed("`check.id` is required")
	case !isObject(e.config):
		return nil, malformed("`config` must be an object")
	}
	return &CheckInvoke{CheckID: string(scan.Unquote(id)), Config: e.config, Trace: e.trace}, nil
}

// texts makes the many short strings of a message in one allocation.
type texts struct {
	buf  [256]byte
	used int
	n    int
	list [8]struct {
		p          *string
		start, end int
	}
}

// add notes the text of value for p; it is false when value is no string. A text that does not fit
// gets an allocation of its own.
func (t *texts) add(p *string, value []byte) bool {
	if !isString(value) {
		return false
	}
	text := scan.Unquote(value)
	if len(text) > len(t.buf)-t.used || t.n == len(t.list) {
		*p = string(text)
		return true
	}
	start := t.used
	t.used += copy(t.buf[start:], text)
	t.list[t.n].p, t.list[t.n].start, t.list[t.n].end = p, start, t.used
	t.n++
	return true
}

// set gives every p its text.
func (t *texts) set() {
	all := string(t.buf[:t.used])
	for _, s := range t.list[:t.n] {
		*s.p = all[s.start:s.end]
	}
}

func malformed(message string) *Error { return &Error{Code: MalformedMessage, Message: message} }

// isVersion reports whether a message's v, nil when absent, is the number 2 as JavaScript reads it.
func isVersion(v []byte) bool {
	if len(v) == 1 {
		return v[0] == '0'+Version
	}
	if len(v) == 0 || !isNumber(v) {
		return false
	}
	f, err := strconv.ParseFloat(string(v), 64)
	return err == nil && f == Version
}

// maxQuoted is how many bytes of a caller's value a message repeats.
const maxQuoted = 200

// inJSON shows a value as JSON.stringify would, undefined when it is absent.
func inJSON(value []byte) string {
	if value == nil {
		return "undefined"
	}
	b, err := jsontext.AppendFormat(nil, value, jsontext.CanonicalizeRawInts(true), jsontext.CanonicalizeRawFloats(true))
	if err != nil {
		b = value
	}
	return cut(b)
}

// plain shows a text without quotes, anything else as [inJSON] does.
func plain(value []byte) string {
	if !isString(value) {
		return inJSON(value)
	}
	return cut(scan.Unquote(value))
}

// cut shortens a text to maxQuoted bytes, between characters.
func cut(b []byte) string {
	if len(b) <= maxQuoted {
		return string(b)
	}
	n := maxQuoted
	for n > 0 && b[n]&0xC0 == 0x80 {
		n--
	}
	return string(b[:n]) + "…"
}

// AppendTo appends the message's JSON to b. The context is Context.Raw when that is set, else its
// typed fields. An absent input is left out.
func (m *ToolInvoke) AppendTo(b []byte) []byte {
	b = append(b, `{"v":2,"kind":"invoke","tool":{"id":`...)
	b = appendText(b, m.ToolID)
	if m.Version != "" {
		b = append(b, `,"version":`...)
		b = appendText(b, m.Version)
	}
	b = append(b, '}')
	if m.Input != nil {
		b = append(b, `,"input":`...)
		b = append(b, m.Input...)
	}
	b = append(b, `,"ctx":`...)
	if m.Context.Raw != nil {
		b = append(b, m.Context.Raw...)
	} else {
		b = appendObject(b, &m.Context)
	}
	return append(b, '}')
}

// AppendTo appends the message's JSON to b. A nil config is an empty one; an absent trace is left out.
func (m *CheckInvoke) AppendTo(b []byte) []byte {
	b = append(b, `{"v":2,"kind":"check-invoke","check":{"id":`...)
	b = append(appendText(b, m.CheckID), `},"config":`...)
	if m.Config == nil {
		b = append(b, "{}"...)
	}
	b = append(b, m.Config...)
	if m.Trace != nil {
		b = append(b, `,"trace":`...)
		b = append(b, m.Trace...)
	}
	return append(b, '}')
}
