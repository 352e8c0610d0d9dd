package pack

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/protocol"
)

// runtimeClient asks a runtime's API what it knows of tools.
type runtimeClient struct {
	base    *url.URL
	token   string
	timeout time.Duration // for one request
	client  *http.Client
}

const (
	// maxManifest bounds a runtime's answer, decompressed: two schemas and little else.
	maxManifest = 10 << 20
	// maxRedirects bounds how far an answer may send a request on.
	maxRedirects = 5
)

// newRuntimeClient makes a client for the runtime at a URL, with or without a path.
func newRuntimeClient(rawURL, token string, timeout time.Duration) (*runtimeClient, error) {
	base, err := url.Parse(rawURL)
	switch {
	case !strings.HasPrefix(strings.ToLower(rawURL), "https://") && !strings.HasPrefix(strings.ToLower(rawURL), "http://"):
		return nil, errors.New("it must begin with https:// or http://")
	case err != nil:
		return nil, errors.New("it is not a URL") // the error would show a password in it
	case base.Hostname() == "":
		return nil, errors.New("it has no host")
	case base.User != nil:
		return nil, errors.New("it must not have a user or a password in it: the token proves who asks")
	case base.RawQuery != "" || base.Fragment != "":
		return nil, errors.New("it must not have a query or a fragment")
	}
	c := &runtimeClient{base: base, token: token, timeout: timeout}
	c.client = &http.Client{CheckRedirect: c.checkRedirect}
	return c, nil
}

// redirectError is why a redirect was not followed.
type redirectError struct{ from, to string }

func (e *redirectError) Error() string {
	return fmt.Sprintf("%s (--runtime) sends the request on to %s, where the token must not go; if that is the runtime, name it with --runtime", e.from, e.to)
}

// checkRedirect follows a redirect only within the runtime's own origin: the token is for
// no other host, nor for the same one without encryption.
func (c *runtimeClient) checkRedirect(r *http.Request, via []*http.Request) error {
	if r.URL.Scheme != c.base.Scheme || !strings.EqualFold(r.URL.Host, c.base.Host) {
		return &redirectError{from: c.base.String(), to: printable(r.URL.Scheme + "://" + r.URL.Host)}
	}
	if len(via) > maxRedirects {
		return fmt.Errorf("it redirects more than %d times", maxRedirects)
	}
	return nil
}

// runtimeRefusal is an answer of the runtime that is no manifest.
type runtimeRefusal struct {
	status    int
	code      string // "" without an error envelope
	message   string
	requestID string
}

func (e *runtimeRefusal) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "the runtime answered %d", e.status)
	if text := cmp.Or(e.message, http.StatusText(e.status)); text != "" {
		b.WriteString(": " + text)
	}
	if e.code != "" {
		b.WriteString(" (" + e.code + ")")
	}
	if e.requestID != "" {
		b.WriteString(", request " + e.requestID)
	}
	return b.String()
}

// hopeless reports whether an error will be the same for every tool.
func hopeless(err error) bool {
	if r, ok := errors.AsType[*runtimeRefusal](err); ok {
		return r.status == http.StatusUnauthorized || r.status == http.StatusForbidden
	}
	if _, ok := errors.AsType[*redirectError](err); ok {
		return true
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return true
	}
	op, ok := errors.AsType[*net.OpError](err)
	return ok && (op.Op == "dial" || op.Op == "proxyconnect")
}

// manifest fetches the manifest of one version of a tool. A *runtimeRefusal with the status
// 404 says that the runtime has none.
func (c *runtimeClient) manifest(ctx context.Context, id, version string) (jsontext.Value, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.timeout, fmt.Errorf("no answer from %s within %s; --timeout waits longer", c.base, c.timeout))
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.manifestURL(id, version), nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "kindgi-go/"+sdkVersion())
	response, err := c.client.Do(r)
	if err != nil {
		return nil, c.unanswered(r, err)
	}
	defer func() { _ = response.Body.Close() }() // what was read is what counts
	body, err := io.ReadAll(io.LimitReader(response.Body, maxManifest+1))
	switch {
	case err != nil:
		return nil, c.unanswered(r, err)
	case len(body) > maxManifest:
		return nil, fmt.Errorf("the answer is larger than %d MiB", maxManifest>>20)
	case response.StatusCode != http.StatusOK:
		return nil, c.refusal(response, body)
	}
	manifest := jsontext.Value(body)
	if err := new(protocol.ToolManifest).UnmarshalJSON(body); err != nil {
		return nil, fmt.Errorf("the answer, %s, is no manifest: %w; is --runtime the URL of the runtime's API?", contentType(response), err)
	}
	return manifest, nil
}

func (c *runtimeClient) manifestURL(id, version string) string {
	escape := func(segment string) string {
		// A plus is one of a path's own characters, and some servers read it as a space.
		return strings.ReplaceAll(url.PathEscape(segment), "+", "%2B")
	}
	return strings.TrimSuffix(c.base.String(), "/") + "/v1/tools/" + escape(id) + "/versions/" + escape(version)
}

// refusal reads an answer that is no manifest. The runtime's error envelope is expected;
// anything between here and there may answer, too.
func (c *runtimeClient) refusal(response *http.Response, body []byte) error {
	e := &runtimeRefusal{status: response.StatusCode, requestID: c.text(response.Header.Get("X-Request-Id"))}
	if api, err := protocol.ParseAPIError(body); err == nil {
		e.code, e.message = c.text(api.Code), c.text(api.Message)
		e.requestID = cmp.Or(c.text(api.RequestID), e.requestID)
	} else {
		e.message = fmt.Sprintf("%s, which is no error envelope; is --runtime the URL of the runtime's API?", contentType(response))
	}
	return e
}

// unanswered says why a request has no answer, where it went and what to look at.
func (c *runtimeClient) unanswered(r *http.Request, err error) error {
	if cause := context.Cause(r.Context()); cause != nil {
		return cause
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err // without the method and the URL of one tool
	}
	if _, ok := errors.AsType[*redirectError](err); ok {
		return err
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return fmt.Errorf("cannot trust %s (--runtime): %w; an authority of your own must be among the system's (on Linux, SSL_CERT_FILE may name its file)", c.base, err)
	}
	switch op, _ := errors.AsType[*net.OpError](err); {
	case op != nil && op.Op == "proxyconnect":
		proxy := "the proxy"
		if u, err := http.ProxyFromEnvironment(r); err == nil && u != nil {
			proxy += " " + u.Scheme + "://" + u.Host // without its password
		}
		return fmt.Errorf("cannot reach %s on the way to %s (--runtime): %w; look at %s_PROXY and NO_PROXY", proxy, c.base, err, strings.ToUpper(c.base.Scheme))
	case op != nil && op.Op == "dial":
		return fmt.Errorf("cannot reach %s (--runtime): %w; is the URL right, and is the runtime up and reachable from here?", c.base, err)
	}
	return fmt.Errorf("cannot ask %s (--runtime): %w", c.base, err)
}

// maxText bounds a text of the runtime's that is shown, in characters.
const maxText = 500

// text makes a text of the runtime's fit to be shown: it has no control characters, which
// a terminal would obey, it is not long, and the token is not in it.
func (c *runtimeClient) text(s string) string {
	if c.token != "" {
		s = strings.ReplaceAll(s, c.token, "[redacted]")
	}
	return shortened(printable(s), maxText)
}

func contentType(r *http.Response) string {
	t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return "of no known media type"
	}
	return printable(t)
}
