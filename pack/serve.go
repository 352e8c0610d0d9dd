package pack

import (
	"context"
	"os"
)

// Serve is the main function of a pack's binary: it runs the command that the program's
// arguments name and exits the process; it does not return. Without a command it serves.
//
//	serve    serve the pack over HTTP until SIGTERM or SIGINT (the default)
//	index    write the pack's index
//	list     list the tools, and the checks with their guardrails
//	schema   print a schema
//	call     call a tool or a check, in this process
//	verify   compare the tools with what a runtime has published
//	version  print what this binary is
//
// Every command explains its flags with -h. It exits 0 when it succeeds, 1 when it fails and 2
// when its arguments are wrong, such as a flag or an id that there is not (index: 1, when it is
// the value of a flag); call exits 3 when a check was evaluated and did not pass.
//
// # The process that serves
//
// Settings come from flags and the environment: --index FILE (or KINDGI_PACK_INDEX; else
// the index compiled into the binary), --host ADDR (every interface), PORT (8080; 0 picks
// a free one), KINDGI_PACK_SERVICE_TOKEN (required), KINDGI_PACK_SERVICE_MAX_CONCURRENCY
// (32), KINDGI_PACK_ENV_CHECK (strict or warn), KINDGI_PACK_ENV_FILTER (on or off),
// KINDGI_PACK_TENANT_ID, KINDGI_LOG_LEVEL, KINDGI_LOG_LEVELS, KINDGI_LOG_FORMAT and
// NO_COLOR; serve -h says what each sets. Every wrong one is named in a "config-invalid" record, every problem of the pack or its index
// in a "boot-failed" record, and the process exits 1. What [Builder.Warnings] gives is named
// in a "registration-warning" record, and a KINDGI_ variable that is none of these and looks
// like one of them in a "setting-unknown" record; neither keeps the service from starting.
//
// The token, and every variable that the pack does not declare and no process needs, are
// removed from the environment before a handler can run. Then what [Builder.OnStart]
// registered runs, and then the service listens.
//
// On SIGTERM or SIGINT the service drains: new calls get 503 while those in flight have 8
// seconds to finish; what still runs then is cancelled and answered so. What OnStart opened
// is closed, and the process exits 0. A second signal exits at once with 1.
//
// The compiled-in index takes its artifact version and its publishing time from the version
// control stamp that the go command puts into a binary; without one they are "devel" and
// the Unix epoch. Every replica of one binary reports the same index hash.
func Serve(b *Builder) {
	os.Exit(b.run(context.Background(), os.Args[1:], program{
		name: os.Args[0], stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv, ownsProcess: true,
	}))
}
