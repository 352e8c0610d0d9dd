package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// benchmarks is the file of a program's compiled benchmarks.
func (p program) benchmarks() string { return p.command() + ".test" }

// build compiles the programs and the benchmarks into c.dir, with the flags anybody builds with.
func build(ctx context.Context, c config, r results) error {
	var commands []string
	for _, p := range c.programs {
		if !slices.Contains(commands, p.command()) {
			commands = append(commands, p.command())
		}
	}
	for _, name := range commands {
		if err := goTool(ctx, "build", "-o", filepath.Join(c.dir, name), "./cmd/"+name); err != nil {
			return err
		}
	}
	if c.inProcess {
		for _, name := range commands {
			if err := goTool(ctx, "test", "-c", "-o", filepath.Join(c.dir, name+".test"), "./peer/"+name); err != nil {
				return err
			}
		}
	}
	for _, p := range c.programs {
		info, err := os.Stat(filepath.Join(c.dir, p.command()))
		if err != nil {
			return err
		}
		r.add(binarySize, p.name, float64(info.Size()))
	}
	return nil
}

func goTool(ctx context.Context, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %v: %w\n%s", args, err, out)
	}
	return nil
}
