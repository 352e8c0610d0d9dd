package pack

import (
	"iter"
	"reflect"
	"slices"

	"github.com/kindgi/kindgi-go/protocol"
	"github.com/kindgi/kindgi-go/schema"
)

// ToolInfo is a registered tool as tools that look at packs see it, package packtest
// among them.
type ToolInfo struct {
	Tool
	// Source is the file and line of the registering call.
	Source string
	// In and Out are the handler's types.
	In, Out reflect.Type
	// Input and Output are their schemas.
	Input, Output *schema.Schema
	// HTTP is the request of a tool that the runtime runs itself; nil for a tool with a
	// handler.
	HTTP *protocol.HTTPSpec
}

// CheckInfo is a registered check, see [ToolInfo].
type CheckInfo struct {
	Check
	// Source is the file and line of the registering call.
	Source string
	// ConfigType is the type of the check's configuration.
	ConfigType reflect.Type
	// ConfigSchema is its schema; nil for a check that takes no configuration.
	ConfigSchema *schema.Schema
}

// Tools goes through the registered tools in the order of their registration. The error is
// that of [Builder.Index]; with one there are no tools.
func (b *Builder) Tools() (iter.Seq[ToolInfo], error) {
	r := b.snapshot()
	if err := r.derive(); err != nil {
		return slices.Values[[]ToolInfo](nil), err
	}
	return func(yield func(ToolInfo) bool) {
		for _, t := range r.tools {
			if !yield(ToolInfo{t.Tool, t.source.String(), t.in, t.out, t.input, t.output, t.spec}) {
				return
			}
		}
	}, nil
}

// Checks goes through the registered checks in the order of their registration. The error
// is that of [Builder.Index]; with one there are no checks.
func (b *Builder) Checks() (iter.Seq[CheckInfo], error) {
	r := b.snapshot()
	if err := r.derive(); err != nil {
		return slices.Values[[]CheckInfo](nil), err
	}
	return func(yield func(CheckInfo) bool) {
		for _, c := range r.checks {
			if !yield(CheckInfo{c.Check, c.source.String(), c.configType, c.configSchema}) {
				return
			}
		}
	}, nil
}
