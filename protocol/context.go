package protocol

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/internal/scan"
)

// CallContext is what a runtime says about a call beside its input (callContext in the pack protocol).
//
// Only TenantID and RunID are sure to be there; the rest is zero when the runtime did not send it. A
// member of an unexpected type never refuses a call: its field stays zero and [CallContext.Field] has
// it, as it has the members that a newer runtime sends.
//
// A context carries secrets. Printing it in any way (fmt, log/slog, json.Marshal) shows none of them;
// [ToolInvoke.AppendTo] writes them.
type CallContext struct {
	TenantID       string // the tenant the call runs for
	RunID          string // the run the call belongs to
	ProjectID      string // the run's project
	OrgID          string // that project's org
	RequestID      string // this call's own id, such as a model's tool-call id
	IdempotencyKey string // the same every time this call runs, different for every other call

	Env      map[string]string         // the env values the tool declares, resolved for this call
	Secrets  map[string]jsontext.Value // the resolved secrets, by name
	Config   map[string]jsontext.Value // reserved: no runtime sends it yet
	Settings map[string]jsontext.Value // the calling agent's settings blocks, by block id

	// Raw is the whole context as it came, an object; it aliases the request's body. When it is set,
	// it is what AppendTo writes.
	Raw jsontext.Value
}

// Field gives the member of that name as it came, whether or not it has a field of its own; it is
// false when the runtime sent none. The value aliases Raw.
func (c *CallContext) Field(name string) (jsontext.Value, bool) {
	if scan.Valid(c.Raw) != nil {
		return nil, false
	}
	members, ok := openObject(c.Raw)
	for ok {
		var n, value []byte
		if n, value, ok = members.next(); ok && string(n) == name {
			return value, true
		}
	}
	return nil, false
}

// redacted stands where a secret would.
const redacted = "[redacted]"

// Format prints the context without what could be secret: the ids, and the names of the rest.
func (c CallContext) Format(s fmt.State, _ rune) {
	var b strings.Builder
	for _, a := range c.attrs() {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%s=%v", a.Key, a.Value)
	}
	_, _ = fmt.Fprintf(s, "{%s}", &b)
}

// LogValue gives the same to log/slog.
func (c CallContext) LogValue() slog.Value { return slog.GroupValue(c.attrs()...) }

func (c *CallContext) attrs() []slog.Attr {
	var attrs []slog.Attr
	for _, id := range []struct{ name, value string }{
		{"tenantId", c.TenantID}, {"runId", c.RunID}, {"projectId", c.ProjectID},
		{"orgId", c.OrgID}, {"requestId", c.RequestID}, {"idempotencyKey", c.IdempotencyKey},
	} {
		if id.value != "" {
			attrs = append(attrs, slog.String(id.name, id.value))
		}
	}
	if len(c.Env) > 0 {
		attrs = append(attrs, slog.Any("env", names(c.Env)))
	}
	if len(c.Secrets) > 0 {
		attrs = append(attrs, slog.Any("secrets", names(c.Secrets)))
	}
	return attrs
}

func names[V any](m map[string]V) []string {
	list := make([]string, 0, len(m))
	for name := range m {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// MarshalJSON gives the context with every secret replaced by "[redacted]": what is marshalled is as
// likely a record as a message. The wire form is [ToolInvoke.AppendTo]'s.
func (c CallContext) MarshalJSON() ([]byte, error) {
	if scan.Valid(c.Raw) == nil {
		if members, ok := openObject(c.Raw); ok {
			return redact(members), nil
		}
	}
	hidden := make(map[string]jsontext.Value, len(c.Secrets))
	for name := range c.Secrets {
		hidden[name] = jsontext.Value(`"` + redacted + `"`)
	}
	if c.Secrets != nil {
		c.Secrets = hidden
	}
	return marshalObject(&c)
}

// redact writes a context's members but for what its secrets are.
func redact(members cursor) []byte {
	b := []byte{'{'}
	for {
		name, value, ok := members.next()
		if !ok {
			return append(b, '}')
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(appendText(b, name), ':')
		if string(name) != "secrets" {
			b = append(b, value...)
			continue
		}
		secrets, isMap := readValues(value)
		if !isMap {
			b = appendText(b, redacted)
			continue
		}
		b = appendMap(b, secrets, func(b []byte, _ jsontext.Value) []byte { return appendText(b, redacted) })
	}
}

func (c *CallContext) visit(v *visitor) {
	text(v, "tenantId", &c.TenantID, always)
	text(v, "runId", &c.RunID, always)
	text(v, "projectId", &c.ProjectID, optional)
	text(v, "orgId", &c.OrgID, optional)
	text(v, "requestId", &c.RequestID, optional)
	text(v, "idempotencyKey", &c.IdempotencyKey, optional)
	v.env("env", &c.Env)
	v.values("secrets", &c.Secrets, optional)
	v.values("config", &c.Config, optional)
	v.values("settings", &c.Settings, optional)
}

// env writes a map of texts.
func (v *visitor) env(name string, p *map[string]string) {
	if v.write(name, *p == nil, optional) {
		v.b = appendMap(v.b, *p, func(b []byte, value string) []byte { return appendText(b, value) })
	}
}
