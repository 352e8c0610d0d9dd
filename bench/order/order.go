// Package order is the call that every program under measurement answers: price an order. It holds the
// types, the handler, the JSON Schemas for the programs that want a document, and the requests.
package order

import "context"

// Order is what the tool acme.orders.quote takes. The same limits stand in both kinds of tags, and in
// schema/order.json, so that every validator has the same work.
type Order struct {
	Number   string   `json:"number" minLength:"1" maxLength:"64" jsonschema:"minLength=1,maxLength=64"`
	Currency string   `json:"currency,omitempty" enum:"EUR,GBP,USD" jsonschema:"enum=EUR,enum=GBP,enum=USD"`
	Customer Customer `json:"customer"`
	Lines    []Line   `json:"lines" minItems:"1" nullable:"false" jsonschema:"minItems=1"`
	Note     string   `json:"note,omitempty"`
	Tags     []string `json:"tags,omitempty" maxItems:"16" nullable:"false" jsonschema:"maxItems=16"`
}

// Customer is who ordered.
type Customer struct {
	ID    string `json:"id" minLength:"1" jsonschema:"minLength=1"`
	Name  string `json:"name" minLength:"1" maxLength:"200" jsonschema:"minLength=1,maxLength=200"`
	Email string `json:"email,omitempty" format:"email" jsonschema:"format=email"`
	VIP   bool   `json:"vip,omitempty"`
}

// Line is one line of an order.
type Line struct {
	SKU      string `json:"sku" minLength:"1" maxLength:"32" jsonschema:"minLength=1,maxLength=32"`
	Name     string `json:"name,omitempty" maxLength:"200" jsonschema:"maxLength=200"`
	Quantity int    `json:"quantity" minimum:"1" maximum:"1000000" jsonschema:"minimum=1,maximum=1000000"`
	Cents    int64  `json:"cents" minimum:"0" jsonschema:"minimum=0"`
}

// Quote is the answer.
type Quote struct {
	Number   string `json:"number" minLength:"1" jsonschema:"minLength=1"`
	Currency string `json:"currency" enum:"EUR,GBP,USD" jsonschema:"enum=EUR,enum=GBP,enum=USD"`
	Lines    int    `json:"lines" minimum:"1" jsonschema:"minimum=1"`
	Pieces   int    `json:"pieces" minimum:"1" jsonschema:"minimum=1"`
	Cents    int64  `json:"cents" minimum:"0" jsonschema:"minimum=0"`
}

// Price answers an order. It does so little that what is measured is all around it.
func Price(_ context.Context, o Order) (Quote, error) {
	q := Quote{Number: o.Number, Currency: o.Currency, Lines: len(o.Lines)}
	if q.Currency == "" {
		q.Currency = "EUR"
	}
	for _, l := range o.Lines {
		q.Pieces += l.Quantity
		q.Cents += int64(l.Quantity) * l.Cents
	}
	return q, nil
}
