package desk

import "time"

// Number names an order.
type Number struct {
	Number string `json:"number" jsonschema:"pattern=^A-[0-9]{1\\,12}$,example=A-1001" jsonschema_description:"The order's number."`
}

// Order is an order as the desk knows it.
type Order struct {
	Number   string    `json:"number"`
	Customer string    `json:"customer"`
	Status   string    `json:"status" jsonschema:"enum=open,enum=shipped,enum=cancelled"`
	Placed   time.Time `json:"placed"`
	Lines    []Line    `json:"lines"`
	Cents    int64     `json:"cents" jsonschema_description:"The order's total, in cents."`
	Tracking string    `json:"tracking,omitempty" jsonschema_description:"The carrier's code, once it is shipped."`
}

// Line is one line of an order.
type Line struct {
	SKU      string `json:"sku" jsonschema:"minLength=1,maxLength=40,example=TEA-1"`
	Quantity int32  `json:"quantity" jsonschema:"minimum=1,maximum=1000"`
	Cents    int64  `json:"cents" jsonschema:"minimum=0,maximum=100000000" jsonschema_description:"The price of one, in cents."`
}

// Placement asks for an order.
type Placement struct {
	Customer string `json:"customer" jsonschema:"minLength=1,maxLength=80"`
	Lines    []Line `json:"lines" jsonschema:"minItems=1,maxItems=100"`
}

// Query asks for a page of a customer's orders.
type Query struct {
	Customer string `json:"customer" jsonschema:"minLength=1,maxLength=80"`
	Limit    int    `json:"limit" jsonschema:"minimum=1,maximum=100,default=20"`
	After    string `json:"after,omitempty" jsonschema_description:"The next of the page before; left out for the first page."`
}

// Page is a page of orders.
type Page struct {
	Orders []Order `json:"orders"`
	Next   string  `json:"next,omitempty" jsonschema_description:"Left out on the last page."`
}

// Shipment is what the carrier has taken.
type Shipment struct {
	Number   string `json:"number"`
	Tracking string `json:"tracking"`
}

// Track names a parcel.
type Track struct {
	Code string `json:"code" jsonschema:"minLength=1"`
}

// Tracking is where a parcel is.
type Tracking struct {
	Place string `json:"place"`
}

// Totals are the orders of each customer, added up.
type Totals struct {
	Customers map[string]int64 `json:"customers" jsonschema_description:"Cents by customer."`
	Orders    int              `json:"orders"`
}
