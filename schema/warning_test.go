package schema_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/invopop/jsonschema"

	"github.com/kindgi/kindgi-go/schema"
)

type (
	warnedEvent struct {
		At    time.Time  `json:"at,omitempty"`
		Until *time.Time `json:"until,omitempty"`
		From  time.Time  `json:"from,omitzero"`
		To    time.Time  `json:"to,omitempty,omitzero"`
		Name  string     `json:"name,omitempty"`
		Place struct {
			Pair [2]int `json:"pair,omitempty"`
			None [0]int `json:"none,omitempty"`
		} `json:"place"`
	}
	warnedEvents struct {
		First warnedEvent   `json:"first"`
		Rest  []warnedEvent `json:"rest"`
	}
	warnedOrder struct {
		Number string `json:"number" validate:"required,max=64" db:"number"`
		Colour string `json:"colour" enum:"red,green" default:"red"`
		Count  int    `json:"count" validate:"min=1" minimum:"1"`
		Text   string `json:"text" description:"Words, any order."`
		Wanted string `json:"wanted,omitempty" required:"true"`
	}
	unwarnedOrder struct {
		Number string    `json:"number" validate:"required,max=64" jsonschema:"minLength=1,maxLength=64"`
		Colour string    `json:"colour" enum:"red,green" default:"red" jsonschema:"enum=red,enum=green,default=red"`
		Text   string    `json:"text" description:"Words." jsonschema_description:"Words, any order."`
		Other  string    `json:"other" doc:"Words." jsonschema:"description=Words."`
		At     time.Time `json:"at" format:"date-time" gorm:"default:now()" required:"true"`
		Lines  []int     `json:"lines" validate:"omitempty,dive" nullable:"false"`
		Left   string    `json:"-" validate:"required"`
		ID     int       `json:"id,omitempty" bson:"_id" yaml:"id" required:"false" example:"7"`
	}
	hookedOrder struct {
		Number string `json:"number" validate:"required" minLength:"1"`
	}
	askedOrder struct {
		Number string       `json:"number" validate:"required"`
		Line   askedLine    `json:"line"`
		Lines  []warnedLine `json:"lines"`
	}
	askedLine struct {
		SKU string `json:"sku" binding:"required"`
	}
	warnedLine struct {
		SKU string `json:"sku"`
	}
	warnedPart struct {
		Lines map[string]*warnedLine `json:"lines"`
		Line  warnedLine             `json:"line"`
		Size  *warnedSize            `json:"size"`
	}
	warnedSize string
	warnedPair struct {
		warnedLine
		OtherLine
	}
	OtherLine struct{ N int }
)

func (hookedOrder) JSONSchemaExtend(s *jsonschema.Schema) {}
func (*askedOrder) Validate() error                       { return nil }
func (*warnedLine) Validate() error                       { return nil }
func (OtherLine) Validate() error                         { return nil }
func (warnedSize) Validate() error                        { return errors.New("never") }

func TestWarnings(t *testing.T) {
	t.Parallel()
	const at = `schema_test.warnedEvent: field At: omitempty never leaves a time.Time out; write omitzero`
	for _, c := range []struct {
		of   reflect.Type
		want []string
	}{
		{reflect.TypeFor[warnedEvent](), []string{
			at, `schema_test.warnedEvent: field Place.Pair: omitempty never leaves a [2]int out; write omitzero`,
		}},
		// The root names what is in a struct without a name; the rest is said once.
		{reflect.TypeFor[warnedEvents](), []string{
			at, `schema_test.warnedEvents: field First.Place.Pair: omitempty never leaves a [2]int out; write omitzero`,
		}},
		{reflect.TypeFor[warnedOrder](), []string{
			"input: schema_test.warnedOrder: field Number: the tags validate, enum, default, minimum, required do nothing here; " +
				`write the rules in a jsonschema tag, such as jsonschema:"minLength=1", or a method Validate of the input's type that asks the library; ` +
				`and jsonschema:"enum=red,enum=green"; and jsonschema:"default=red"; and jsonschema:"minimum=1"; ` +
				"and no omitempty and no omitzero, which make it optional",
			`schema_test.warnedOrder: field Text: the tag description does nothing here; write jsonschema_description:"Words, any order."`,
		}},
		{reflect.TypeFor[unwarnedOrder](), nil},
		{reflect.TypeFor[hookedOrder](), nil},
		{reflect.TypeFor[askedOrder](), nil},
		{reflect.TypeFor[warnedLine](), nil},
		{reflect.TypeFor[[]askedLine](), []string{
			"input: schema_test.askedLine: field SKU: the tag binding does nothing here; " +
				`write the rules in a jsonschema tag, such as jsonschema:"minLength=1", or a method Validate of the input's type that asks the library`,
		}},
		{reflect.TypeFor[warnedPart](), []string{
			"input: schema_test.warnedPart: field Lines[]: the method Validate of schema_test.warnedLine is not called; give schema_test.warnedPart a method Validate that calls it",
			"input: schema_test.warnedPart: field Size: the method Validate of schema_test.warnedSize is not called; give schema_test.warnedPart a method Validate that calls it",
		}},
		// Two promoted methods hide each other.
		{reflect.TypeFor[warnedPair](), []string{
			"input: schema_test.warnedPair: field warnedLine: the method Validate of schema_test.warnedLine is not called; give schema_test.warnedPair a method Validate that calls it",
			"input: schema_test.warnedPair: field OtherLine: the method Validate of schema_test.OtherLine is not called; give schema_test.warnedPair a method Validate that calls it",
		}},
	} {
		t.Run(c.of.String(), func(t *testing.T) {
			t.Parallel()
			s, err := schema.ForType(c.of)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, w := range s.Warnings() {
				text := w.Error()
				if w.InputOnly {
					text = "input: " + text
				}
				got = append(got, text)
			}
			slices.Sort(got)
			slices.Sort(c.want)
			if !slices.Equal(got, c.want) {
				t.Errorf("got\n%q\nwant\n%q", got, c.want)
			}
		})
	}
}

// TestWarningsAreTrue has the codec show what the warnings about omitempty say.
func TestWarningsAreTrue(t *testing.T) {
	t.Parallel()
	got, err := schema.Marshal(warnedEvent{})
	const want = `{"at":"0001-01-01T00:00:00Z","place":{"pair":[0,0]}}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}
