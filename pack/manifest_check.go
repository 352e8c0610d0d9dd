package pack

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"github.com/kindgi/kindgi-go/protocol"
)

// manifest checks what a tool declares, its schemas apart.
func (f *findings) manifest(t *Tool) {
	if !utf8.ValidString(t.Description) {
		f.problem("Description is not UTF-8")
	}
	f.effects(t)
	seen := map[string]int{}
	for i, n := range t.Needs {
		j, twice := seen[n.Name]
		switch {
		case n.Name == "":
			f.problem("Needs[%d] needs a Name", i)
		case twice:
			f.problem("Needs[%d] is %q, which Needs[%d] is already", i, n.Name, j)
		default:
			seen[n.Name] = i
		}
	}
	if t.NeedsSpec != nil {
		f.needsSpec(t.NeedsSpec)
	}
	f.isolation(t.Sandbox, t.Limits, t.Network)
	if t.Network != nil && t.Network.Kind == protocol.NetworkNone && hasEffect(t.Effects, protocol.EffectNetwork) {
		f.problem("Network is none, but the effect %q says it uses the network; change one of them", protocol.EffectNetwork)
	}
}

// effects checks the effects, and that they agree with ReadOnly.
func (f *findings) effects(t *Tool) {
	known := names(protocol.EffectKinds()...)
	onlyReads := len(t.Effects) > 0
	for i, e := range t.Effects {
		if !f.oneOf(fmt.Sprintf("Effects[%d].Kind", i), string(e.Kind), known) {
			onlyReads = false
			continue
		}
		changes := changesSomething(e.Kind)
		if t.ReadOnly && changes {
			f.problem("it is ReadOnly, but Effects[%d] is %q; drop ReadOnly when a call changes anything, else the effect", i, e.Kind)
		}
		onlyReads = onlyReads && e.Kind != protocol.EffectSensitiveDataEgress && !changes
	}
	if onlyReads && !t.ReadOnly {
		f.warn("its effects only read, but it is not ReadOnly, so a runtime may ask a person before its first use; set ReadOnly: true")
	}
}

// changesSomething reports whether an effect is an observable change, which makes a tool
// mutating.
func changesSomething(kind protocol.EffectKind) bool {
	switch kind {
	case protocol.EffectWrites, protocol.EffectDeletes, protocol.EffectExternalSideEffect,
		protocol.EffectEmitsEvent, protocol.EffectSpawnsRun:
		return true
	}
	return false
}

func hasEffect(effects []protocol.Effect, kind protocol.EffectKind) bool {
	return slices.ContainsFunc(effects, func(e protocol.Effect) bool { return e.Kind == kind })
}

// isolation checks what a tool or a check asks of its sandbox.
func (f *findings) isolation(sandbox protocol.Sandbox, limits *protocol.Limits, network *protocol.Network) {
	if sandbox != "" {
		f.oneOf("Sandbox", string(sandbox), names(protocol.SandboxNone, protocol.SandboxContextIsolated, protocol.SandboxStrict))
	}
	if limits != nil {
		switch {
		case limits.MemMB < 0 || limits.CPUMs < 0:
			f.problem("Limits are %d MiB and %d ms: both must be positive", limits.MemMB, limits.CPUMs)
		case limits.MemMB == 0 && limits.CPUMs == 0:
			f.problem("Limits sets nothing: give MemMB and CPUMs, or leave Limits nil for no cap")
		case limits.MemMB == 0:
			f.problem("Limits has CPUMs without MemMB; a runtime takes both or none")
		case limits.CPUMs == 0:
			f.problem("Limits has MemMB without CPUMs; a runtime takes both or none")
		}
	}
	if network != nil {
		f.network(network)
	}
}

func (f *findings) network(n *protocol.Network) {
	if !f.oneOf("Network.Kind", string(n.Kind), names(protocol.NetworkNone, protocol.NetworkUnrestricted, protocol.NetworkAllowlist)) {
		return
	}
	if n.Kind != protocol.NetworkAllowlist {
		if len(n.Hosts) > 0 {
			f.problem("Network.Hosts is for an allowlist, but Network.Kind is %q", n.Kind)
		}
		return
	}
	if len(n.Hosts) == 0 {
		f.problem("Network is an allowlist without Hosts; for no network at all set Kind to %q", protocol.NetworkNone)
	}
	f.texts("Network.Hosts", n.Hosts)
	for i, host := range n.Hosts {
		if _, rest, isURL := strings.Cut(host, "://"); isURL {
			host, _, _ := strings.Cut(rest, "/")
			f.problem("Network.Hosts[%d] is a URL; write the host alone: %q", i, host)
		} else if strings.ContainsFunc(host, func(r rune) bool { return r <= ' ' || strings.ContainsRune(`/\?#@,`, r) || r == utf8.RuneError }) {
			f.problem("Network.Hosts[%d] %q is not the name of a host, such as api.example.com", i, host)
		}
	}
}

// writable checks that an entry of the index can be written: raw JSON that the author gave
// may be none, or have no canonical form, which a document has unless scan.Valid refuses it.
func (f *findings) writable(entry json.Marshaler) {
	if _, err := entry.MarshalJSON(); err != nil {
		f.problem("its entry of the index cannot be written: %w", err)
	}
}
