package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/kindgi/kindgi-go/pack"
)

// addStart has the pack open something before its first call, and says so.
func addStart(b *pack.Builder) {
	test := os.Getenv("KINDGI_SHOP_TEST")
	b.OnStart(func(ctx context.Context) (pack.StopFunc, error) {
		_, declared := os.LookupEnv("SHOP_DATABASE")
		_, other := os.LookupEnv("SHOP_OTHER")
		fmt.Println("opened", declared, other)
		slog.New(pack.LogHandler()).Info("the shop's own record")
		switch test {
		case "start-fails":
			return nil, errors.New("the database is locked")
		case "start-panics":
			panic("no database")
		case "start-waits":
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return func(context.Context) error {
			fmt.Println("closed:", ctx.Err())
			slog.New(pack.LogHandler()).Info("the shop is closed")
			if test == "stop-fails" {
				return errors.New("the database does not close")
			}
			return nil
		}, nil
	})
}
