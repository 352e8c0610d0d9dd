package pack

import (
	"reflect"
	"runtime/debug"
	"strings"
)

// isForeign reports whether a type is declared in a module that the program depends on: its author cannot
// mend what is wrong with it. A module that is replaced by a directory is the author's own.
func isForeign(t reflect.Type) bool {
	if t.PkgPath() == "" {
		return false
	}
	info := buildInfo()
	return info != nil && moduleIsForeign(info, t.PkgPath())
}

// moduleIsForeign reports whether the module of a package is another's: that with the longest path decides.
func moduleIsForeign(info *debug.BuildInfo, pkg string) bool {
	longest, foreign := 0, false
	look := func(module string, isForeign bool) {
		if rest, ok := strings.CutPrefix(pkg, module); ok && (rest == "" || rest[0] == '/') && len(module) > longest {
			longest, foreign = len(module), isForeign
		}
	}
	look(info.Main.Path, false)
	for _, m := range info.Deps {
		look(m.Path, m.Replace == nil || m.Replace.Version != "") // a directory has no version
	}
	return foreign
}
