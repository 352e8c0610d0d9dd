package packtest_test

import (
	"encoding/json"
	"errors"

	"github.com/invopop/jsonschema"
)

// even is an even number. Its schema forgets to say so.
type even int

func (even) JSONSchema() *jsonschema.Schema { return &jsonschema.Schema{Type: "integer"} }

func (e even) MarshalJSON() ([]byte, error) { return json.Marshal(int(e)) }

func (e *even) UnmarshalJSON(b []byte) error {
	var n int
	if err := json.Unmarshal(b, &n); err != nil {
		return err
	}
	if n%2 != 0 {
		return errors.New("must be even")
	}
	*e = even(n)
	return nil
}
