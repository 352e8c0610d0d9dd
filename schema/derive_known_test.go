package schema

import (
	"encoding"
	"math/rand/v2"
	"net"
	"net/netip"
	"regexp"
	"testing"
)

// TestIPPatterns compares the patterns for IP addresses with the parsers of net and net/netip, on
// texts that are addresses or nearly.
func TestIPPatterns(t *testing.T) {
	t.Parallel()
	addr := regexp.MustCompile(optionalText(ipAddress(true)))
	plain := regexp.MustCompile(optionalText(ipAddress(false)))
	withPort := regexp.MustCompile(optionalText(ipAddressAndPort()))
	prefix := regexp.MustCompile(optionalText(ipPrefix()))
	r := rand.New(rand.NewPCG(3, 4))
	parts := []string{"0", "1", "::", ":", ".", "ffff", "FFFF", "12345", "0001", "255", "256", "01", "%eth0", "%", "a", "g", "1.2.3.4", "/", "/32", "/33", "/128", "/129", "/08", ":80", ":65536", ":080", "[", "]", "1:2:3", "::ffff:"}
	for range 50_000 {
		var text string
		switch r.IntN(3) {
		case 0:
			for range r.IntN(9) {
				text += parts[r.IntN(len(parts))]
			}
		case 1: // groups and colons
			for range r.IntN(10) {
				text += parts[[]int{0, 1, 2, 3, 3, 5}[r.IntN(6)]]
			}
		default:
			var b [16]byte
			for i := range b {
				if r.IntN(3) == 0 {
					b[i] = byte(r.IntN(256))
				}
			}
			a := netip.AddrFrom16(b)
			if r.IntN(3) == 0 {
				a = a.Unmap()
			}
			text = []string{a.String(), a.StringExpanded(), "[" + a.String() + "]:80", a.String() + ":80", a.String() + "/24", a.String() + "%z"}[r.IntN(6)]
		}
		one := func(what string, p *regexp.Regexp, v interface {
			encoding.TextUnmarshaler
			encoding.TextMarshaler
		}) {
			// What matches is read, and what is read is written as something that matches.
			err := v.UnmarshalText([]byte(text))
			if p.MatchString(text) && err != nil {
				t.Errorf("%s %q: is not read: %v", what, text, err)
			}
			if again, err2 := v.MarshalText(); err == nil && (err2 != nil || !p.Match(again)) {
				t.Errorf("%s %q: does not match: %v", what, again, err2)
			}
		}
		one("addr", addr, new(netip.Addr))
		one("ip", plain, new(net.IP))
		one("addr and port", withPort, new(netip.AddrPort))
		one("prefix", prefix, new(netip.Prefix))
		if t.Failed() && r.IntN(20) == 0 {
			break
		}
	}
}
