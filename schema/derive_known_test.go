package schema

import (
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
	for range 400_000 {
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
		check := func(what string, p *regexp.Regexp, reads bool) {
			if p.MatchString(text) != reads {
				t.Errorf("%s %q: matches: %t, reads: %t", what, text, !reads, reads)
			}
		}
		check("addr", addr, new(netip.Addr).UnmarshalText([]byte(text)) == nil)
		check("ip", plain, new(net.IP).UnmarshalText([]byte(text)) == nil)
		if withPort.MatchString(text) && new(netip.AddrPort).UnmarshalText([]byte(text)) != nil {
			t.Errorf("addr and port %q: does not read", text)
		}
		var ap netip.AddrPort
		if ap.UnmarshalText([]byte(text)) == nil {
			if again, _ := ap.MarshalText(); !withPort.Match(again) {
				t.Errorf("addr and port %q: does not match", again)
			}
		}
		var pre netip.Prefix
		err := pre.UnmarshalText([]byte(text))
		check("prefix", prefix, err == nil)
		if again, err2 := pre.MarshalText(); err == nil && (err2 != nil || !prefix.Match(again)) {
			t.Errorf("prefix %q: does not match", again)
		}
		if t.Failed() && r.IntN(20) == 0 {
			break
		}
	}
}
