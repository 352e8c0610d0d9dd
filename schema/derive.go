package schema

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// For derives the schema of T, as the package comment's table says, and compiles it. It meets what
// [Schema.Strict] demands.
//
// A type whose values and schema cannot be made to agree is refused. The error then joins one
// [*TypeError] for each of its problems.
func For[T any]() (*Schema, error) { return ForType(reflect.TypeFor[T]()) }

// ForType is [For] for a type that is known only at run time.
func ForType(t reflect.Type) (*Schema, error) {
	document, warnings, err := derive(t)
	if err != nil {
		return nil, err
	}
	s, b, err := Compiler{}.compile(document)
	if err == nil {
		err = b.strict(s.root)
	}
	if err != nil {
		return nil, &TypeError{
			Type: t, Reason: fmt.Sprintf("its schema is refused: %v", err),
			Advice: "change the tag or the hook that makes it so", cause: err,
		}
	}
	s.warnings = warnings
	return s, nil
}

// derive gives the document of t's schema, and what is probably not meant.
func derive(t reflect.Type) ([]byte, []Warning, error) {
	t = pointedTo(t) // null is not an answer: a nil pointer is refused as any other wrong type
	d := &deriver{
		root: t,
		done: make(map[reflect.Type]bool), cyclic: make(map[reflect.Type]bool),
		names: make(map[reflect.Type]string), foreignNames: make(map[string]string), defs: object{},
	}

	// The first walk finds the problems, and the types that contain themselves. It sees the fields of
	// every struct once. The second, if the first left anything out, writes them out wherever they are
	// used.
	d.survey = true
	root := d.expand(t, "")
	d.runChecks()
	if len(d.problems) > 0 {
		return nil, nil, errors.Join(d.problems...)
	}
	d.warnStray()
	if d.pruned {
		d.survey, d.size, d.checks = false, 0, nil
		root = d.expand(t, "")
		d.runChecks()
		if len(d.problems) > 0 {
			return nil, nil, errors.Join(d.problems...)
		}
	}
	if len(d.defs) > 0 {
		root["$defs"] = d.defs
	}
	return appendDocument(nil, root), d.warnings, nil
}

// deriver walks the types that one schema is made of.
type deriver struct {
	root     reflect.Type
	problems []error
	warnings []Warning
	stray    []*strayTags

	survey bool                  // on the first walk
	stack  []reflect.Type        // the types being walked, outermost first
	done   map[reflect.Type]bool // the structs that the first walk has seen
	pruned bool                  // it left something out

	cyclic map[reflect.Type]bool   // the types that contain themselves
	names  map[reflect.Type]string // of the cyclic types, in $defs
	// The names in $defs of the definitions that hooks bring along, by type and name.
	foreignNames map[string]string
	defs         object
	size         int // of what has been written, in schemas
	checks       []valueCheck
}

// leaveOut is the advice about a field that cannot be in a schema.
const leaveOut = `leave the field out with the tag json:"-"`

// refuse records a problem.
func (d *deriver) refuse(path, advice, reason string, args ...any) {
	for i := range args {
		if t, ok := args[i].(reflect.Type); ok {
			args[i] = typeName(t)
		}
	}
	if path == "" { // there is no field
		if advice = strings.TrimPrefix(strings.TrimPrefix(advice, leaveOut), ", or "); advice == "" {
			advice = "use another type"
		}
	}
	d.problems = append(d.problems, &TypeError{
		Type: d.root, Path: path, Reason: fmt.Sprintf(reason, args...), Advice: advice,
	})
}

// schemaOf gives the schema of t where it is used: a reference if t contains itself.
func (d *deriver) schemaOf(t reflect.Type, path string) object {
	if d.survey {
		d.warnValidate(t, path)
		// Every cycle of types passes through one with a name, and has one that is met on the stack.
		if onStack := slices.Contains(d.stack, t); t.Name() != "" && onStack || d.done[t] {
			d.pruned = true
			if onStack {
				d.cyclic[t] = true
			}
			return object{"type": jsonTypeOf(t)}
		}
		return d.expand(t, path)
	}
	if !d.cyclic[t] {
		return d.expand(t, path)
	}
	name := d.defName(t)
	if _, ok := d.defs[name]; !ok {
		d.defs[name] = object{} // so that the walk below ends
		d.defs[name] = d.expand(t, path)
	}
	return object{"$ref": "#/$defs/" + name}
}

// expand gives the schema of t itself.
func (d *deriver) expand(t reflect.Type, path string) object {
	d.stack = append(d.stack, t)
	defer func() { d.stack = d.stack[:len(d.stack)-1] }()
	if d.size++; d.size > maxSchemas {
		if d.size == maxSchemas+1 {
			d.refuse(path, "a type that is used often is written out as often: use fewer levels, or any for a part",
				"the schema is too large")
		}
		return object{}
	}
	if s, ok := d.known(t, path); ok {
		return s
	}
	return d.extend(t, d.plain(t, path), path)
}

// maxSchemas bounds a document, since types that are used twice are written twice.
const maxSchemas = 20_000
