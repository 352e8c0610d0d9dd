package pack

import (
	"net/textproto"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/protocol"
	"github.com/kindgi/kindgi-go/schema"
)

// httpSpec checks the request of a tool that the runtime runs itself.
func (f *findings) httpSpec(s *protocol.HTTPSpec, t *Tool, input *schema.Schema) {
	f.oneOf("Method", s.Method, []string{"GET", "POST", "PUT", "PATCH", "DELETE"})
	fields := fieldsOf(input)
	f.urlTemplate(s, t, fields)
	f.httpHeaders(s, fields)
	if s.Authorization != nil {
		f.authorization(s.Authorization, t)
	}
	if s.RequestBody != nil {
		f.requestBody(s, fields)
	}
	if s.TimeoutMs < 0 {
		f.problem("TimeoutMs is %d: it is positive, or 0 for the runtime's default of 30000", s.TimeoutMs)
	}
	if r := s.SuccessStatus; r != nil && (r.Min < 100 || r.Max > 599 || r.Min > r.Max) {
		f.problem("SuccessStatus is %d to %d: statuses are from 100 to 599, the lower first", r.Min, r.Max)
	}
}

// inputFields are the fields of an input's schema.
type inputFields struct {
	names  []string
	always map[string]bool // those that are there in every input, once defaults are filled in
}

// inputSchema is what tells the fields of an input.
type inputSchema struct {
	Ref        string                    `json:"$ref"`
	Defs       map[string]jsontext.Value `json:"$defs"`
	AllOf      []jsontext.Value          `json:"allOf"`
	Properties map[string]jsontext.Value `json:"properties"`
	Required   []string                  `json:"required"`
	Default    jsontext.Value            `json:"default"`
}

// read reads a schema; a boolean one tells nothing.
func (s *inputSchema) read(document jsontext.Value) inputSchema {
	*s = inputSchema{}
	if document.Kind() == '{' {
		_ = json.Unmarshal(document, s) // it is compiled already, so its members are of their types
	}
	return *s
}

// fieldsOf gives the fields that an input's schema names, in the definition it refers to
// and in the branches that all hold, too.
func fieldsOf(input *schema.Schema) inputFields {
	fields := inputFields{always: map[string]bool{}}
	var root, property inputSchema
	root.read(input.JSON())
	seen := map[string]bool{}
	var collect func(s inputSchema)
	collect = func(s inputSchema) {
		for name, document := range s.Properties {
			if !slices.Contains(fields.names, name) {
				fields.names = append(fields.names, name)
			}
			fields.always[name] = fields.always[name] || property.read(document).Default != nil
		}
		for _, name := range s.Required {
			fields.always[name] = true
		}
		var branch inputSchema
		for _, document := range s.AllOf {
			collect(branch.read(document))
		}
		if name, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok && !seen[name] {
			seen[name] = true
			collect(branch.read(root.Defs[name]))
		}
	}
	collect(root)
	slices.Sort(fields.names)
	return fields
}

// placeholder checks the name between the braces of a template.
func (f *findings) placeholder(where, name string, fields inputFields) {
	switch {
	case len(fields.names) == 0:
		f.problem("%s has {%s}, but the input has no fields", where, name)
	case !slices.Contains(fields.names, name):
		f.problem("%s has {%s}, which is no field of the input%s; its fields are %s",
			where, name, suggestion(name, fields.names), strings.Join(fields.names, ", "))
	case !fields.always[name]:
		f.warn("%s has {%s}, a field that an input may lack; make it required or give it a default", where, name)
	}
}

// urlTemplate checks the URL with its placeholders. A brace is not a character of URLs
// (RFC 3986), so each belongs to a placeholder.
func (f *findings) urlTemplate(s *protocol.HTTPSpec, t *Tool, fields inputFields) {
	const what = "URLTemplate"
	if s.URLTemplate == "" {
		f.problem("URLTemplate is empty; write a URL such as https://api.example.com/orders/{number}")
		return
	}
	const stand = "x" // in the place of each placeholder
	var plain strings.Builder
	named := map[string]bool{}
	for rest := s.URLTemplate; ; {
		before, after, open := strings.Cut(rest, "{")
		if strings.Contains(before, "}") {
			f.problem("%s has a } without its {", what)
			return
		}
		plain.WriteString(before)
		if !open {
			break
		}
		name, next, closed := strings.Cut(after, "}")
		if !closed || strings.Contains(name, "{") {
			f.problem("%s has a { without its }", what)
			return
		}
		if name == "" {
			f.problem("%s has {} without a field's name in it", what)
		} else if !named[name] {
			named[name] = true
			f.placeholder(what, name, fields)
		}
		plain.WriteString(stand)
		rest = next
	}
	if strings.HasPrefix(s.URLTemplate, "{") || strings.Contains(authorityOf(s.URLTemplate), "{") {
		f.warn("%s lets the input choose the host of the request; write the host out", what)
		if strings.HasPrefix(s.URLTemplate, "{") {
			return // the scheme is the input's as well
		}
	}
	u, err := url.Parse(plain.String())
	switch {
	case err != nil:
		f.problem("%s is not a URL", what) // the error would show a password in it
	case u.Scheme != "http" && u.Scheme != "https":
		f.problem("%s must begin with https:// or http://", what)
	case u.Hostname() == "":
		f.problem("%s has no host", what)
	case u.User != nil:
		f.problem("%s has a user or a password in it, which the manifest would publish; use Authorization with a SecretRef", what)
	case u.Fragment != "":
		f.problem("%s has a fragment (#%s), which no request sends", what, u.Fragment)
	case u.Scheme == "http" && s.Authorization != nil:
		f.warn("%s begins with http://, so its secret travels unencrypted; write https://", what)
	}
	if n := t.Network; n != nil && err == nil && !strings.Contains(authorityOf(s.URLTemplate), "{") {
		if n.Kind == protocol.NetworkNone {
			f.warn("Network is none, but the tool is a request to %s", u.Hostname())
		} else if n.Kind == protocol.NetworkAllowlist && !slices.ContainsFunc(n.Hosts, func(h string) bool { return hostMatches(h, u) }) {
			f.warn("Network.Hosts does not list %s, the host of URLTemplate", u.Hostname())
		}
	}
}

// authorityOf gives the part of a URL between its scheme and its path.
func authorityOf(rawURL string) string {
	_, rest, _ := strings.Cut(rawURL, "://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return rest
}

func hostMatches(listed string, u *url.URL) bool {
	if domain, wild := strings.CutPrefix(listed, "*."); wild {
		return strings.HasSuffix(strings.ToLower(u.Hostname()), "."+strings.ToLower(domain))
	}
	return strings.EqualFold(listed, u.Hostname()) || strings.EqualFold(listed, u.Host)
}

// httpHeaders checks the request's headers (RFC 9110, section 5).
func (f *findings) httpHeaders(s *protocol.HTTPSpec, fields inputFields) {
	seen := map[string]int{}
	if a := s.Authorization; a != nil {
		switch a.Kind {
		case protocol.AuthorizationBearer:
			seen["Authorization"] = -1
		case protocol.AuthorizationHeader:
			seen[textproto.CanonicalMIMEHeaderKey(a.HeaderName)] = -1
		}
	}
	for i, h := range s.Headers {
		name := textproto.CanonicalMIMEHeaderKey(h.Name)
		j, twice := seen[name]
		switch {
		case !isToken(h.Name):
			f.problem("Headers[%d].Name %q is not the name of a header", i, h.Name)
			continue
		case twice && j < 0:
			f.problem("Headers[%d] sets %s, which Authorization sets; leave it out", i, name)
		case twice:
			f.problem("Headers[%d] sets %s, which Headers[%d] sets already", i, name, j)
		case slices.Contains([]string{"Connection", "Content-Length", "Host", "Transfer-Encoding", "Upgrade"}, name):
			f.problem("Headers[%d] sets %s, which is the runtime's to set", i, name)
		case slices.Contains([]string{"Authorization", "Cookie", "Proxy-Authorization", "X-Api-Key"}, name):
			f.warn("Headers[%d] sets %s to a value that the manifest publishes; if it is secret, use Authorization with a SecretRef", i, name)
		}
		seen[name] = i
		if strings.ContainsFunc(h.Value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) || strings.TrimSpace(h.Value) != h.Value {
			f.problem("the value of Headers[%d] (%s) has control characters in it or white space around it", i, name)
		}
		for _, field := range fields.names {
			if strings.Contains(h.Value, "{"+field+"}") {
				f.warn("Headers[%d] (%s) has {%s} in its value, which no runtime replaces: only URLTemplate and a text body have fields of the input", i, name, field)
			}
		}
	}
}

// isToken reports whether a text is a token, as a header's name is (RFC 9110, section
// 5.6.2).
func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}

func (f *findings) authorization(a *protocol.HTTPAuthorization, t *Tool) {
	known := []string{protocol.AuthorizationBearer, protocol.AuthorizationHeader}
	if !slices.Contains(known, a.Kind) {
		// A connection that the tool declares: how it is named is the runtime's to know.
		switch {
		case len(a.Unknown) == 0:
			f.problem("Authorization.Kind %q is not known%s; it is %s, or a connection, whose members go into Unknown",
				a.Kind, suggestion(a.Kind, known), orList(known))
		case t.NeedsSpec == nil || len(t.NeedsSpec.Connections) == 0:
			f.problem("Authorization is neither %s, so it is a connection, but NeedsSpec.Connections declares none", strings.Join(known, " nor "))
		}
		return
	}
	switch {
	case a.Kind == protocol.AuthorizationHeader && !isToken(a.HeaderName):
		f.problem("Authorization.HeaderName %q is not the name of a header, such as X-Api-Key", a.HeaderName)
	case a.Kind == protocol.AuthorizationBearer && a.HeaderName != "":
		f.problem("Authorization.HeaderName is for the kind %q; a bearer token's header is always Authorization", protocol.AuthorizationHeader)
	}
	switch r := a.SecretRef; {
	case r == nil:
		f.problem("Authorization of the kind %q needs a SecretRef", a.Kind)
	case r.EnvName == "" || r.Name == "":
		f.problem("Authorization.SecretRef needs an EnvName, the runtime's env it is read in, and a Name")
	}
}

func (f *findings) requestBody(s *protocol.HTTPSpec, fields inputFields) {
	b := s.RequestBody
	if s.Method == "GET" {
		f.problem("a GET request has no body; leave RequestBody nil or change Method")
	}
	if !f.oneOf("RequestBody.Kind", b.Kind, []string{protocol.BodyJSONInput, protocol.BodyInputPassthrough, protocol.BodyText}) {
		return
	}
	switch {
	case b.Kind != protocol.BodyText && b.Template != "":
		f.problem("RequestBody.Template is for the kind %q, but Kind is %q", protocol.BodyText, b.Kind)
	case b.Kind == protocol.BodyText && b.Template == "":
		f.problem("RequestBody of the kind %q needs a Template", b.Kind)
	case b.Kind == protocol.BodyText:
		for _, name := range textPlaceholders(b.Template, fields) {
			f.placeholder("RequestBody.Template", name, fields)
		}
	}
}

// textPlaceholders gives the names between braces in a text, each once. A text may have
// braces of its own, as JSON has: what is between them is a name when it is a field's, or
// looks like one.
func textPlaceholders(text string, fields inputFields) []string {
	var found []string
	for rest := text; ; {
		_, after, open := strings.Cut(rest, "{")
		if !open {
			return found
		}
		name, next, closed := strings.Cut(after, "}")
		if !closed {
			return found
		}
		if strings.Contains(name, "{") {
			rest = after
			continue
		}
		if (slices.Contains(fields.names, name) || looksLikeField(name)) && !slices.Contains(found, name) {
			found = append(found, name)
		}
		rest = next
	}
}
