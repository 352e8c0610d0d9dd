package pack_test

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

type orderQuery struct {
	Number string `json:"number"`
	Note   string `json:"note,omitempty"`
	Page   int    `json:"page" jsonschema:"default=1"`
}

// tree is a recursive input, whose schema is a reference to its definition.
type tree struct {
	Name     string `json:"name"`
	Children []tree `json:"children"`
}

// httpTool registers an HTTP tool that is right until edit changes it.
func httpTool(edit func(*pack.Tool, *protocol.HTTPSpec)) func(*pack.Builder) {
	return func(b *pack.Builder) {
		t := pack.Tool{ID: "acme.x"}
		s := protocol.HTTPSpec{Method: "POST", URLTemplate: "https://api.example.com/orders/{number}?page={page}"}
		edit(&t, &s)
		pack.AddHTTPTool[orderQuery, word](b, t, s)
	}
}

func secret() *protocol.SecretRef { return &protocol.SecretRef{EnvName: "production", Name: "TOKEN"} }

func TestHTTPTools(t *testing.T) {
	t.Parallel()
	checkRegistrations(t, []registration{
		{name: "everything", register: httpTool(func(t *pack.Tool, s *protocol.HTTPSpec) {
			no := false
			s.Headers = []protocol.HTTPHeader{{Name: "Accept", Value: "application/json"}, {Name: "x-tenant", Value: ""}}
			s.Authorization = &protocol.HTTPAuthorization{Kind: protocol.AuthorizationHeader, HeaderName: "X-Api-Key", SecretRef: secret()}
			s.RequestBody = &protocol.HTTPRequestBody{Kind: protocol.BodyText, Template: `{"number":"{number}","filter":{"page":{page}},"open":{}}`}
			s.TimeoutMs, s.ParseJSON, s.SuccessStatus = 5000, &no, &protocol.StatusRange{Min: 200, Max: 204}
			t.Network = &protocol.Network{Kind: protocol.NetworkAllowlist, Hosts: []string{"*.example.com"}}
		})},
		{name: "bearer", register: httpTool(func(_ *pack.Tool, s *protocol.HTTPSpec) {
			s.Method = "GET"
			s.Authorization = &protocol.HTTPAuthorization{Kind: protocol.AuthorizationBearer, SecretRef: secret()}
		})},
		{name: "connection", register: httpTool(func(t *pack.Tool, s *protocol.HTTPSpec) {
			t.NeedsSpec = &protocol.NeedsSpec{Connections: map[string]*protocol.Connection{"mail": {As: "person"}}}
			s.Authorization = &protocol.HTTPAuthorization{Kind: "connection", Unknown: map[string]jsontext.Value{"connection": jsontext.Value(`"mail"`)}}
		})},
		{name: "recursive input", register: func(b *pack.Builder) {
			pack.AddHTTPTool[tree, word](b, pack.Tool{ID: "acme.x"}, protocol.HTTPSpec{Method: "GET", URLTemplate: "https://a.example/{name}/{nmae}"})
		}, problems: []string{`tool acme.x: URLTemplate has {nmae}, which is no field of the input (did you mean "name"?); its fields are children, name`}},
		{name: "input without fields", register: func(b *pack.Builder) {
			pack.AddHTTPTool[struct{}, word](b, pack.Tool{ID: "acme.x"}, protocol.HTTPSpec{Method: "GET", URLTemplate: "https://a.example/{name}"})
		}, problems: []string{`tool acme.x: URLTemplate has {name}, but the input has no fields`}},
		{name: "method", register: httpTool(func(_ *pack.Tool, s *protocol.HTTPSpec) { s.Method = "post" }),
			problems: []string{`tool acme.x: Method "post" is not known (did you mean "POST"?); it is GET, POST, PUT, PATCH or DELETE`}},
		{name: "no method", register: httpTool(func(_ *pack.Tool, s *protocol.HTTPSpec) { s.Method = "" }),
			problems: []string{`tool acme.x: Method is empty; it is GET, POST, PUT, PATCH or DELETE`}},
		{name: "time-out", register: httpTool(func(_ *pack.Tool, s *protocol.HTTPSpec) { s.TimeoutMs = -1 }),
			problems: []string{`tool acme.x: TimeoutMs is -1: it is positive, or 0 for the runtime's default of 30000`}},
		{name: "statuses", register: httpTool(func(_ *pack.Tool, s *protocol.HTTPSpec) { s.SuccessStatus = &protocol.StatusRange{Min: 299, Max: 200} }),
			problems: []string{`tool acme.x: SuccessStatus is 299 to 200: statuses are from 100 to 599, the lower first`}},
		{name: "half a range", register: httpTool(func(_ *pack.Tool, s *protocol.HTTPSpec) { s.SuccessStatus = &protocol.StatusRange{Min: 200} }),
			problems: []string{`tool acme.x: SuccessStatus is 200 to 0: statuses are from 100 to 599, the lower first`}},
		{name: "statuses beyond", register: httpTool(func(_ *pack.Tool, s *protocol.HTTPSpec) { s.SuccessStatus = &protocol.StatusRange{Min: 200, Max: 600} }),
			problems: []string{`tool acme.x: SuccessStatus is 200 to 600: statuses are from 100 to 599, the lower first`}},
	})
}

func TestURLTemplate(t *testing.T) {
	t.Parallel()
	template := func(text string, edits ...func(*pack.Tool, *protocol.HTTPSpec)) func(*pack.Builder) {
		return httpTool(func(t *pack.Tool, s *protocol.HTTPSpec) {
			s.URLTemplate = text
			for _, edit := range edits {
				edit(t, s)
			}
		})
	}
	network := func(n protocol.Network) func(*pack.Tool, *protocol.HTTPSpec) {
		return func(t *pack.Tool, _ *protocol.HTTPSpec) { t.Network = &n }
	}
	checkRegistrations(t, []registration{
		{name: "plain", register: template("http://localhost:8080/orders")},
		{name: "empty", register: template(""), problems: []string{`tool acme.x: URLTemplate is empty; write a URL such as https://api.example.com/orders/{number}`}},
		{name: "misspelt field, named once", register: template("https://a.example/{nubmer}/{nubmer}/{Number}"), problems: []string{
			`tool acme.x: URLTemplate has {nubmer}, which is no field of the input (did you mean "number"?); its fields are note, number, page`,
			`tool acme.x: URLTemplate has {Number}, which is no field of the input (did you mean "number"?); its fields are note, number, page`,
		}},
		{name: "field that may be missing", register: template("https://a.example/?note={note}"),
			warnings: []string{`tool acme.x: URLTemplate has {note}, a field that an input may lack; make it required or give it a default`}},
		{name: "no field", register: template("https://a.example/{}"), problems: []string{`tool acme.x: URLTemplate has {} without a field's name in it`}},
		{name: "open brace", register: template("https://a.example/{number"), problems: []string{`tool acme.x: URLTemplate has a { without its }`}},
		{name: "brace in a brace", register: template("https://a.example/{a{number}}"), problems: []string{`tool acme.x: URLTemplate has a { without its }`}},
		{name: "closing brace", register: template("https://a.example/number}"), problems: []string{`tool acme.x: URLTemplate has a } without its {`}},
		{name: "no scheme", register: template("api.example.com/orders"), problems: []string{`tool acme.x: URLTemplate must begin with https:// or http://`}},
		{name: "another scheme", register: template("ftp://a.example/"), problems: []string{`tool acme.x: URLTemplate must begin with https:// or http://`}},
		{name: "no host", register: template("https:///orders"), problems: []string{`tool acme.x: URLTemplate has no host`}},
		{name: "not a URL", register: template("https://u:secretpw@a.example:port/"), problems: []string{`tool acme.x: URLTemplate is not a URL`}},
		{name: "password", register: template("https://u:secretpw@a.example/"),
			problems: []string{`tool acme.x: URLTemplate has a user or a password in it, which the manifest would publish; use Authorization with a SecretRef`}},
		{name: "fragment", register: template("https://a.example/#top"), problems: []string{`tool acme.x: URLTemplate has a fragment (#top), which no request sends`}},
		{name: "host of the input", register: template("https://{number}.example/"),
			warnings: []string{`tool acme.x: URLTemplate lets the input choose the host of the request; write the host out`}},
		{name: "URL of the input", register: template("{number}/orders"),
			warnings: []string{`tool acme.x: URLTemplate lets the input choose the host of the request; write the host out`}},
		{name: "secret over http", register: template("http://a.example/", func(_ *pack.Tool, s *protocol.HTTPSpec) {
			s.Authorization = &protocol.HTTPAuthorization{Kind: "bearer", SecretRef: secret()}
		}), warnings: []string{`tool acme.x: URLTemplate begins with http://, so its secret travels unencrypted; write https://`}},
		{name: "no network", register: template("https://a.example/", network(protocol.Network{Kind: "none"})),
			warnings: []string{`tool acme.x: Network is none, but the tool is a request to a.example`}},
		{name: "host not listed", register: template("https://a.example/", network(protocol.Network{Kind: "allowlist", Hosts: []string{"b.example", "*.a.example"}})),
			warnings: []string{`tool acme.x: Network.Hosts does not list a.example, the host of URLTemplate`}},
		{name: "host listed", register: template("https://A.example:8443/", network(protocol.Network{Kind: "allowlist", Hosts: []string{"a.example"}}))},
		{name: "host and port listed", register: template("https://a.example:8443/", network(protocol.Network{Kind: "allowlist", Hosts: []string{"a.example:8443"}}))},
	})
}

func TestHTTPHeaders(t *testing.T) {
	t.Parallel()
	headers := func(a *protocol.HTTPAuthorization, pairs ...string) func(*pack.Builder) {
		return httpTool(func(_ *pack.Tool, s *protocol.HTTPSpec) {
			s.Authorization = a
			for i := 0; i < len(pairs); i += 2 {
				s.Headers = append(s.Headers, protocol.HTTPHeader{Name: pairs[i], Value: pairs[i+1]})
			}
		})
	}
	checkRegistrations(t, []registration{
		{name: "names", register: headers(nil, "", "a", "X Y", "a", "X:", "a", "x-é", "a"), problems: []string{
			`tool acme.x: Headers[0].Name "" is not the name of a header`,
			`tool acme.x: Headers[1].Name "X Y" is not the name of a header`,
			`tool acme.x: Headers[2].Name "X:" is not the name of a header`,
			`tool acme.x: Headers[3].Name "x-é" is not the name of a header`,
		}},
		{name: "values", register: headers(nil, "A", "x\r\nB: y", "C", " padded", "D", "tab\tin"), problems: []string{
			`tool acme.x: the value of Headers[0] (A) has control characters in it or white space around it`,
			`tool acme.x: the value of Headers[1] (C) has control characters in it or white space around it`,
		}},
		{name: "twice", register: headers(nil, "X-A", "1", "x-a", "2"), problems: []string{`tool acme.x: Headers[1] sets X-A, which Headers[0] sets already`}},
		{name: "of the runtime", register: headers(nil, "content-length", "5", "Host", "a"), problems: []string{
			`tool acme.x: Headers[0] sets Content-Length, which is the runtime's to set`,
			`tool acme.x: Headers[1] sets Host, which is the runtime's to set`,
		}},
		{name: "beside a bearer token", register: headers(&protocol.HTTPAuthorization{Kind: "bearer", SecretRef: secret()}, "authorization", "x"),
			problems: []string{`tool acme.x: Headers[0] sets Authorization, which Authorization sets; leave it out`}},
		{name: "beside a header token", register: headers(&protocol.HTTPAuthorization{Kind: "header", HeaderName: "X-Key", SecretRef: secret()}, "x-key", "x"),
			problems: []string{`tool acme.x: Headers[0] sets X-Key, which Authorization sets; leave it out`}},
		{name: "a secret in the open", register: headers(nil, "Authorization", "Basic eA=="),
			warnings: []string{`tool acme.x: Headers[0] sets Authorization to a value that the manifest publishes; if it is secret, use Authorization with a SecretRef`}},
		{name: "a field in a value", register: headers(nil, "X-Number", "{number}"),
			warnings: []string{`tool acme.x: Headers[0] (X-Number) has {number} in its value, which no runtime replaces: only URLTemplate and a text body have fields of the input`}},
	})
}

func TestHTTPAuthorizationAndBody(t *testing.T) {
	t.Parallel()
	authorization := func(a protocol.HTTPAuthorization) func(*pack.Builder) {
		return httpTool(func(_ *pack.Tool, s *protocol.HTTPSpec) { s.Authorization = &a })
	}
	body := func(method string, b protocol.HTTPRequestBody) func(*pack.Builder) {
		return httpTool(func(_ *pack.Tool, s *protocol.HTTPSpec) { s.Method, s.RequestBody = method, &b })
	}
	open := map[string]jsontext.Value{"connection": jsontext.Value(`"mail"`)}
	checkRegistrations(t, []registration{
		{name: "unknown", register: authorization(protocol.HTTPAuthorization{Kind: "Bearer", SecretRef: secret()}),
			problems: []string{`tool acme.x: Authorization.Kind "Bearer" is not known (did you mean "bearer"?); it is bearer or header, or a connection, whose members go into Unknown`}},
		{name: "undeclared connection", register: authorization(protocol.HTTPAuthorization{Unknown: open}),
			problems: []string{`tool acme.x: Authorization is neither bearer nor header, so it is a connection, but NeedsSpec.Connections declares none`}},
		{name: "no secret", register: authorization(protocol.HTTPAuthorization{Kind: "bearer"}),
			problems: []string{`tool acme.x: Authorization of the kind "bearer" needs a SecretRef`}},
		{name: "half a secret", register: authorization(protocol.HTTPAuthorization{Kind: "bearer", SecretRef: &protocol.SecretRef{Name: "TOKEN"}}),
			problems: []string{`tool acme.x: Authorization.SecretRef needs an EnvName, the runtime's env it is read in, and a Name`}},
		{name: "no header name", register: authorization(protocol.HTTPAuthorization{Kind: "header", SecretRef: secret()}),
			problems: []string{`tool acme.x: Authorization.HeaderName "" is not the name of a header, such as X-Api-Key`}},
		{name: "bearer with a header name", register: authorization(protocol.HTTPAuthorization{Kind: "bearer", HeaderName: "X-Key", SecretRef: secret()}),
			problems: []string{`tool acme.x: Authorization.HeaderName is for the kind "header"; a bearer token's header is always Authorization`}},

		{name: "json-input", register: body("PUT", protocol.HTTPRequestBody{Kind: "json-input"})},
		{name: "input-passthrough", register: body("DELETE", protocol.HTTPRequestBody{Kind: "input-passthrough"})},
		{name: "body of a GET", register: body("GET", protocol.HTTPRequestBody{Kind: "json-input"}),
			problems: []string{`tool acme.x: a GET request has no body; leave RequestBody nil or change Method`}},
		{name: "unknown body", register: body("POST", protocol.HTTPRequestBody{Kind: "json"}),
			problems: []string{`tool acme.x: RequestBody.Kind "json" is not known; it is json-input, input-passthrough or text`}},
		{name: "text without a template", register: body("POST", protocol.HTTPRequestBody{Kind: "text"}),
			problems: []string{`tool acme.x: RequestBody of the kind "text" needs a Template`}},
		{name: "a template without text", register: body("POST", protocol.HTTPRequestBody{Kind: "json-input", Template: "{number}"}),
			problems: []string{`tool acme.x: RequestBody.Template is for the kind "text", but Kind is "json-input"`}},
		{name: "template", register: body("POST", protocol.HTTPRequestBody{Kind: "text", Template: `{"a":{"b":"{nubmer}"},"c":"{note} {note}"} { x } {`}), problems: []string{
			`tool acme.x: RequestBody.Template has {nubmer}, which is no field of the input (did you mean "number"?); its fields are note, number, page`,
		}, warnings: []string{
			`tool acme.x: RequestBody.Template has {note}, a field that an input may lack; make it required or give it a default`,
		}},
	})
}

// TestHTTPToolCalled answers a call of a tool that the runtime is to run itself.
func TestHTTPToolCalled(t *testing.T) {
	t.Parallel()
	b := pack.New("acme", "1.0.0")
	httpTool(func(*pack.Tool, *protocol.HTTPSpec) {})(b)
	s := start(t, b, pack.Options{})
	got := s.call(t, "acme.x", `{"number":"1"}`)
	wantError(t, got, "handler-throw", `Handler for tool "acme.x" threw: Error: this tool is an HTTP request that the runtime makes itself; its pack service has no handler for it`)
	if got.ToolID != "acme.x" || got.Cause.Name != "Error" {
		t.Errorf("the error is about %q, its cause is %+v", got.ToolID, got.Cause)
	}
}
