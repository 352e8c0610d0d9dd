package pack

import (
	"path"
	"runtime"
	"strconv"
	"strings"
	"unique"
)

// source is the place in an author's code where something was registered.
type source struct {
	module string // the modulePath of the index: the file, relative to the main module
	line   int
}

func (s source) String() string {
	return s.module + ":" + strconv.Itoa(s.line)
}

// callerSource gives the place that called the caller of callerSource's caller,
// skip frames further up.
//
// The file is named by its package's import path and its base name, never by the
// path the compiler saw: that one depends on the machine and on -trimpath.
func callerSource(skip int) source {
	pc := make([]uintptr, 1)
	if runtime.Callers(skip+3, pc) == 0 {
		return source{module: "unknown"}
	}
	frame, _ := runtime.CallersFrames(pc).Next()
	main, program := mainModule()
	return source{
		// Of the many registrations of a file, one copy is kept.
		module: unique.Make(modulePath(packageOf(frame.Function), path.Base(strings.ReplaceAll(frame.File, `\`, "/")), main, program)).Value(),
		line:   frame.Line,
	}
}

// modulePath joins a package's place in the main module with a file's base name.
// program is the import path of the program's main package. A package of another
// module keeps its whole import path.
func modulePath(pkg, file, main, program string) string {
	if pkg == "main" {
		pkg = program
		if pkg == "command-line-arguments" { // go run FILE.go: the files have no package path
			pkg = main
		}
	}
	// The tests of package p outside of it are compiled as p_test, in p's folder.
	pkg = strings.TrimSuffix(pkg, "_test")
	if main != "" {
		if pkg == main {
			return file
		}
		if rest, ok := strings.CutPrefix(pkg, main+"/"); ok {
			return rest + "/" + file
		}
	}
	if pkg == "" {
		return file
	}
	return pkg + "/" + file
}

// packageOf gives the import path in a function's symbol name, as in
// "example.com/acme/orders.(*desk).register.func1".
func packageOf(function string) string {
	slash := strings.LastIndexByte(function, '/')
	dot := strings.IndexByte(function[slash+1:], '.')
	if dot < 0 {
		return ""
	}
	pkg := function[:slash+1+dot]
	// The linker escapes the dots of the last element, and a few bytes more, as %xx.
	if !strings.Contains(pkg, "%") {
		return pkg
	}
	var b strings.Builder
	for i := 0; i < len(pkg); i++ {
		if pkg[i] == '%' && i+2 < len(pkg) {
			if n, err := strconv.ParseUint(pkg[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		b.WriteByte(pkg[i])
	}
	return b.String()
}

// mainModule gives the path of the program's main module and of its main package.
func mainModule() (module, program string) {
	info := buildInfo()
	if info == nil {
		return "", ""
	}
	return info.Main.Path, info.Path
}
