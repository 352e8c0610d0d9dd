package packtest_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/pack/packtest"
	"github.com/kindgi/kindgi-go/protocol"
)

func ExampleContext() {
	handler := func(ctx context.Context, _ struct{}) (string, error) {
		call, _ := pack.CallFromContext(ctx)
		return "hello " + call.TenantID, nil
	}
	fmt.Println(handler(packtest.Context(protocol.CallContext{TenantID: "acme"}), struct{}{}))
	// Output: hello acme <nil>
}

func ExampleCheck() {
	b := pack.New("acme", "1.0.0")
	pack.AddTool(b, pack.Tool{ID: "acme.echo"}, func(_ context.Context, in struct{ Text string }) (string, error) { return in.Text, nil })
	err := packtest.Check(b)
	finding, _ := errors.AsType[*packtest.Finding](err)
	fmt.Println(finding.Subject+":", finding.Problem)
	fmt.Println(finding.Rule.Why())
	// Output:
	// tool acme.echo: it has no description
	// a model chooses tools by their descriptions, and reads all of them in every turn
}
