// Withpostgres runs a command with a PostgreSQL server of its own, whose data source name it
// puts into an environment variable:
//
//	go run ./withpostgres ORDERS_TEST_DATABASE_URL go test ./...
//
// The server and its data are gone when the command ends.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/kindgi/kindgi-go/idempotency/dbtest/postgres"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: withpostgres VARIABLE COMMAND [ARGUMENT…]")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(variable, command string, arguments []string) error {
	server, err := postgres.Start(context.Background())
	if errors.Is(err, postgres.ErrNotInstalled) {
		fmt.Println("NOT TESTED with PostgreSQL:", err)
		return nil
	}
	if err != nil {
		return err
	}
	cmd := exec.Command(command, arguments...)
	cmd.Env = append(os.Environ(), variable+"="+server.DSN())
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return errors.Join(cmd.Run(), server.Stop())
}
