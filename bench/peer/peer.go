// Package peer runs the programs under measurement: each serves one handler on one loopback port.
package peer

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
)

// ToolsVar is the environment variable that says how many tools a program has; 1 without it.
const ToolsVar = "BENCH_TOOLS"

// Tools reads ToolsVar.
func Tools() (int, error) {
	s := os.Getenv(ToolsVar)
	if s == "" {
		return 1, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%s: %q is not a positive number", ToolsVar, s)
	}
	return n, nil
}

// Main serves the handler on 127.0.0.1, on the port in PORT, as plainly as net/http does, until the
// process is killed.
func Main(handler New) {
	if err := serve(handler); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(handler New) error {
	tools, err := Tools()
	if err != nil {
		return err
	}
	h, err := handler(tools)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", os.Getenv("PORT")))
	if err != nil {
		return err
	}
	return http.Serve(l, h)
}
