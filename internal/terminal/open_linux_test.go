package terminal_test

import (
	"bufio"
	"testing"

	"github.com/kindgi/kindgi-go/internal/terminal"
)

func TestOpen(t *testing.T) {
	t.Parallel()
	side, other := terminal.Open(t)
	if _, err := side.WriteString("hello\n"); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(other).ReadString('\n'); line != "hello\r\n" {
		t.Errorf("got %q, %v", line, err)
	}
	if err := side.Close(); err != nil {
		t.Error(err)
	}
}
