package desk

import (
	"context"
	"math"
)

// LookUp is the tool acme.orders.lookup.
func (d *Desk) LookUp(ctx context.Context, in Number) (Order, error) {
	tenant, err := d.begin(ctx)
	if err != nil {
		return Order{}, err
	}
	return d.find(ctx, d.db, tenant, in.Number)
}

// Search is the tool acme.orders.search. Pages are cut by order number, so orders that are
// placed while somebody turns pages shift nothing.
func (d *Desk) Search(ctx context.Context, in Query) (Page, error) {
	tenant, err := d.begin(ctx)
	if err != nil {
		return Page{}, err
	}
	before := int64(math.MaxInt64)
	if in.After != "" {
		if before, err = parse(in.After); err != nil {
			return Page{}, err
		}
	}
	// One more than asked for tells whether there is a next page.
	rows, err := d.db.QueryContext(ctx, d.sql("SELECT "+columns+" FROM orders WHERE tenant = $1 AND customer = $2 AND number < $3 ORDER BY number DESC LIMIT $4"),
		tenant, in.Customer, before, in.Limit+1)
	if err != nil {
		return Page{}, err
	}
	defer rows.Close()
	var page Page
	for rows.Next() {
		o, _, err := scan(rows)
		if err != nil {
			return Page{}, err
		}
		if len(page.Orders) == in.Limit {
			page.Next = page.Orders[in.Limit-1].Number
			break
		}
		page.Orders = append(page.Orders, o)
	}
	return page, rows.Err()
}

// reportStep is how many orders a report reads between two looks at its context.
const reportStep = 500

// Report is the tool acme.orders.report: it reads in steps, and the context ends it
// between two of them, or in the middle of one.
func (d *Desk) Report(ctx context.Context, _ struct{}) (Totals, error) {
	tenant, err := d.begin(ctx)
	if err != nil {
		return Totals{}, err
	}
	totals := Totals{Customers: map[string]int64{}}
	for last, more := int64(0), true; more; {
		if err := ctx.Err(); err != nil {
			return Totals{}, context.Cause(ctx)
		}
		if last, more, err = d.reportStep(ctx, tenant, last, &totals); err != nil {
			return Totals{}, err
		}
	}
	return totals, nil
}

func (d *Desk) reportStep(ctx context.Context, tenant string, after int64, totals *Totals) (last int64, more bool, err error) {
	rows, err := d.db.QueryContext(ctx, d.sql("SELECT "+columns+" FROM orders WHERE tenant = $1 AND number > $2 ORDER BY number LIMIT $3"),
		tenant, after, reportStep)
	if err != nil {
		return 0, false, err
	}
	defer rows.Close()
	n := 0
	for ; rows.Next(); n++ {
		o, number, err := scan(rows)
		if err != nil {
			return 0, false, err
		}
		totals.Customers[o.Customer] += o.Cents
		totals.Orders++
		last = number
	}
	return last, n == reportStep, rows.Err()
}
