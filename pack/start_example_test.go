package pack_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/kindgi/kindgi-go/pack"
)

// desk stands for what handlers need to have open, such as a database.
type desk struct{ open bool }

func (d *desk) Open(context.Context) error { d.open = true; return nil }
func (d *desk) Close() error               { d.open = false; return nil }

func (d *desk) Count(context.Context, struct{}) (int, error) {
	if !d.open {
		return 0, errors.New("the desk is closed")
	}
	return 3, nil
}

// A pack opens its database before it serves. Serve does what is done here by hand.
func ExampleBuilder_OnStart() {
	var d desk
	b := pack.New("acme.desk", "1.0.0")
	b.OnStart(func(ctx context.Context) (pack.StopFunc, error) {
		if err := d.Open(ctx); err != nil {
			return nil, fmt.Errorf("the desk's database: %w", err)
		}
		return func(context.Context) error { return d.Close() }, nil
	})
	pack.AddTool(b, pack.Tool{ID: "acme.desk.count", ReadOnly: true}, d.Count)

	stop, err := b.Start(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("open:", d.open)
	if err := stop(context.Background()); err != nil {
		fmt.Println(err)
	}
	fmt.Println("open:", d.open)
	// Output:
	// open: true
	// open: false
}
