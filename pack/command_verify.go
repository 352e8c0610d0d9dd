package pack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/sync/errgroup"

	"github.com/kindgi/kindgi-go/internal/record"
	"github.com/kindgi/kindgi-go/protocol"
)

const (
	defaultTokenEnv      = "KINDGI_TOKEN"
	defaultVerifyTimeout = 30 * time.Second
	// verifyAtOnce is how many requests are under way at once: enough to be quick, few
	// enough for a runtime that serves others, too.
	verifyAtOnce = 4
)

// verifyStatus is what verify found of one tool.
type verifyStatus string

const (
	verifySame         verifyStatus = "same"
	verifyDiffers      verifyStatus = "differs"
	verifyNotPublished verifyStatus = "not-published"
	verifyFailed       verifyStatus = "failed"
)

// verified is what verify found of one version of a tool.
type verified struct {
	ID          string       `json:"id"`
	Version     string       `json:"version"`
	Status      verifyStatus `json:"status"`
	Differences []difference `json:"differences,omitempty"`
	Error       *verifyError `json:"error,omitzero"`

	err error
}

// verifyError is why a tool could not be compared, or why nothing could.
type verifyError struct {
	Code      string `json:"code"` // the runtime's, or "failed"
	Message   string `json:"message"`
	Status    int    `json:"status,omitzero"` // of the runtime's answer
	RequestID string `json:"requestId,omitzero"`
}

// runVerify is the command verify: it compares the pack with what a runtime has published.
func runVerify(ctx context.Context, b *Builder, args []string, p program) int {
	f := newFlags(p, help{
		command:   "verify",
		arguments: "--runtime URL",
		summary: "Compare each tool with the manifest that a runtime has published under its id and version.\n" +
			"Exits 1 when one differs or, without --allow-unpublished, is not published: what a published version says must not change.",
	})
	runtimeURL := f.String("runtime", "", "the `URL` of the runtime's API, such as https://runtime.example.com")
	tokenEnv := f.String("token-env", defaultTokenEnv, "the `NAME` of the environment variable that holds the API token")
	var timeout time.Duration
	durationVar(f, &timeout, "timeout", defaultVerifyTimeout, "how long to wait for each answer, a `DURATION` such as 500ms or 30s")
	allowUnpublished := f.Bool("allow-unpublished", false, "do not fail for what is not published yet: for a pipeline that runs before it is")
	asJSON := f.Bool("json", false, "report in one line of JSON")
	rest, code, ok := parseArgs(f, args, p, 0)
	switch {
	case !ok:
		return code
	case len(rest) > 0:
		return wrongUsage(f, p, "it takes no arguments, got %q", rest[0])
	case *runtimeURL == "":
		return wrongUsage(f, p, "it needs --runtime URL")
	case timeout <= 0:
		return wrongUsage(f, p, "--timeout is %v: it must be more than 0", timeout)
	case strings.HasPrefix(*tokenEnv, "kgi_") || !isEnvName(*tokenEnv):
		return wrongUsage(f, p, "--token-env takes the name of an environment variable, not a token: other users can read a command line")
	}
	token := strings.TrimSpace(p.getenv(*tokenEnv))
	client, err := newRuntimeClient(*runtimeURL, token, timeout)
	if err != nil {
		return wrongUsage(f, p, "--runtime: %v", err)
	}
	// A runtime, or what stands in for it, may send the token back in any part of an answer.
	p.stdout, p.stderr = &hiding{p.stdout, token}, &hiding{p.stderr, token}
	var results []verified
	index, err := b.Index(Pins{})
	switch {
	case err != nil:
	case token == "":
		err = fmt.Errorf("%s is not set: put a token of the runtime's API there, or name another variable with --token-env", *tokenEnv)
	default:
		err = prefixed(*tokenEnv+" holds no token", checkToken(token))
	}
	if err == nil {
		if !*asJSON && client.base.Scheme == "http" && !isLoopback(client.base) {
			_, _ = fmt.Fprintf(p.stderr, "warning: the token travels unencrypted to %s\n", client.base.Host)
		}
		results, err = verify(ctx, client, index.Tools)
	}
	if r, ok := errors.AsType[*runtimeRefusal](err); ok {
		err = fmt.Errorf("%w; the token is that of %s", r, *tokenEnv)
	}
	reportVerify(results, err, client.base.String(), *asJSON, p)
	if err != nil || slices.ContainsFunc(results, func(v verified) bool { return !v.passes(*allowUnpublished) }) {
		return exitFailed
	}
	return exitOK
}

// passes reports whether a result is as it should be. A 404 without the runtime's own error is
// not the runtime's word that a version is unpublished: the URL is wrong, most likely.
func (v verified) passes(unpublished bool) bool {
	refusal, refused := errors.AsType[*runtimeRefusal](v.err)
	return v.Status == verifySame || unpublished && v.Status == verifyNotPublished && refused && refusal.code != ""
}

// hiding is a writer that leaves out a secret. What is written must have it whole.
type hiding struct {
	w      io.Writer
	secret string
}

func (h *hiding) Write(p []byte) (int, error) {
	if _, err := io.WriteString(h.w, record.HideSecrets(string(p), []string{h.secret})); err != nil {
		return 0, err
	}
	return len(p), nil
}

// verify compares every tool; the results have the tools' order. It ends early with an
// error that would be the same for all of them.
func verify(ctx context.Context, c *runtimeClient, tools []protocol.IndexTool) ([]verified, error) {
	results := make([]verified, len(tools))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(verifyAtOnce)
	for i := range tools {
		group.Go(func() error {
			results[i] = verifyTool(ctx, c, &tools[i])
			if err := results[i].err; hopeless(err) {
				return err
			}
			return nil
		})
	}
	return results, group.Wait()
}

// verifyTool compares one tool.
func verifyTool(ctx context.Context, c *runtimeClient, t *protocol.IndexTool) verified {
	v := verified{ID: t.ID, Version: t.Version}
	var ours, manifest jsontext.Value
	ours, v.err = t.MarshalJSON()
	if v.err == nil {
		manifest, v.err = c.manifest(ctx, t.ID, t.Version)
	}
	if v.err == nil {
		v.Differences, v.err = diffManifests(ours, manifest)
		v.err = prefixed("the manifest cannot be compared", v.err)
	}
	refusal, refused := errors.AsType[*runtimeRefusal](v.err)
	switch {
	case v.err == nil && len(v.Differences) == 0:
		v.Status = verifySame
	case v.err == nil:
		v.Status = verifyDiffers
	case refused && refusal.status == http.StatusNotFound:
		v.Status = verifyNotPublished
	default:
		v.Status = verifyFailed
	}
	if v.err != nil {
		v.Error = newVerifyError(v.err)
	}
	return v
}

func newVerifyError(err error) *verifyError {
	e := &verifyError{Code: "failed", Message: printable(err.Error())}
	if r, ok := errors.AsType[*runtimeRefusal](err); ok {
		e.Status, e.RequestID = r.status, r.requestID
		if r.code != "" {
			e.Code, e.Message = r.code, r.message
		}
	}
	return e
}

// isLoopback reports whether a URL is of this machine.
func isLoopback(u *url.URL) bool {
	if u.Hostname() == "localhost" {
		return true
	}
	ip := net.ParseIP(u.Hostname())
	return ip != nil && ip.IsLoopback()
}

// verifyCounts says how many tools have each status.
type verifyCounts struct {
	Same         int `json:"same"`
	Differs      int `json:"differs"`
	NotPublished int `json:"notPublished"`
	Failed       int `json:"failed"`
}

func count(results []verified) verifyCounts {
	var n verifyCounts
	for _, r := range results {
		switch r.Status {
		case verifySame:
			n.Same++
		case verifyDiffers:
			n.Differs++
		case verifyNotPublished:
			n.NotPublished++
		case verifyFailed:
			n.Failed++
		}
	}
	return n
}

// reportVerify prints what was found, or why nothing was.
func reportVerify(results []verified, err error, runtimeURL string, asJSON bool, p program) {
	if err != nil {
		if !asJSON {
			failed(p, "verify", err)
			return
		}
		printLine(p, struct {
			Kind  string       `json:"kind"`
			Error *verifyError `json:"error"`
		}{"err", newVerifyError(err)})
		return
	}
	n := count(results)
	if asJSON {
		type value struct {
			Runtime string       `json:"runtime"`
			Counts  verifyCounts `json:"counts"`
			Tools   []verified   `json:"tools"`
		}
		printLine(p, struct {
			Kind  string `json:"kind"`
			Value value  `json:"value"`
		}{"ok", value{runtimeURL, n, results}})
	} else {
		printVerified(results, n, p)
	}
}

// maxValue bounds a value that is shown, in characters.
const maxValue = 200

// printVerified prints a line for each tool, and below it what differs.
func printVerified(results []verified, n verifyCounts, p program) {
	idWidth, versionWidth := 0, 0
	for _, r := range results {
		idWidth, versionWidth = max(idWidth, len(r.ID)), max(versionWidth, len(r.Version))
	}
	for _, r := range results {
		_, _ = fmt.Fprintf(p.stdout, "%-*s  %-*s  %s\n", idWidth, r.ID, versionWidth, r.Version, strings.ReplaceAll(string(r.Status), "-", " "))
		for _, d := range r.Differences {
			binary, runtime := shown(d.Binary, d.Runtime)
			_, _ = fmt.Fprintf(p.stdout, "  %s\n    this binary: %s\n    the runtime: %s\n", printable(d.Path), binary, runtime)
		}
		if len(r.Differences) == maxDifferences {
			_, _ = fmt.Fprintf(p.stdout, "  and perhaps more: no more than %d differences are shown\n", maxDifferences)
		}
		refusal, refused := errors.AsType[*runtimeRefusal](r.err)
		if r.err != nil && (r.Status != verifyNotPublished || refused && refusal.code == "") {
			_, _ = fmt.Fprintf(p.stdout, "  %s\n", printable(r.err.Error()))
		}
	}
	_, _ = fmt.Fprintf(p.stdout, "%d same, %d different, %d not published, %d failed\n", n.Same, n.Differs, n.NotPublished, n.Failed)
	if n.Differs > 0 {
		_, _ = fmt.Fprintln(p.stderr, "verify: what is published under a version must not change; give each tool that differs a new version")
	}
}

// shown gives two values as a person reads them: of long ones, the part where they begin
// to differ.
func shown(binary, runtime jsontext.Value) (string, string) {
	if binary == nil {
		return "nothing", shortened(printable(string(runtime)), maxValue)
	}
	if runtime == nil {
		return shortened(printable(string(binary)), maxValue), "nothing"
	}
	x, y := []rune(printable(string(binary))), []rune(printable(string(runtime)))
	same := 0
	for same < min(len(x), len(y)) && x[same] == y[same] {
		same++
	}
	cut := ""
	if from := same - maxValue/4; from > 0 && max(len(x), len(y)) > maxValue {
		x, y, cut = x[from:], y[from:], "…"
	}
	return cut + shortened(string(x), maxValue), cut + shortened(string(y), maxValue)
}
