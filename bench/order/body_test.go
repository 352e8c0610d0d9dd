package order

import (
	"encoding/json"
	"testing"
)

func TestBodiesHaveTheirSize(t *testing.T) {
	t.Parallel()
	for _, s := range Sizes {
		body := Body(s)
		var call Call[json.RawMessage]
		if err := json.Unmarshal(body, &call); err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		got := len(call.Input)
		if s.Whole {
			got = len(body)
		}
		if got != s.Bytes {
			t.Errorf("%s: %d bytes, want %d", s.Name, got, s.Bytes)
		}
	}
}

func TestTheUsualOrderHasEightLines(t *testing.T) {
	t.Parallel()
	var call Call[Order]
	if err := json.Unmarshal(Body(Sizes[1]), &call); err != nil {
		t.Fatal(err)
	}
	if n := len(call.Input.Lines); n != 8 {
		t.Errorf("%d lines, want 8", n)
	}
	if call.Input.Note == "" || len(call.Input.Tags) == 0 || call.Input.Customer.Email == "" {
		t.Errorf("something is missing: %+v", call.Input)
	}
	quote, err := Price(t.Context(), call.Input)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(marshal(quote)); n < 70 || n > 110 {
		t.Errorf("the quote has %d bytes, want about 90: %s", n, marshal(quote))
	}
}
