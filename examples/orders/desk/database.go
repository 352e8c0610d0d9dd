package desk

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/kindgi/kindgi-go/pack"
)

// NotFoundError says that the tenant has no such order.
type NotFoundError struct{ Number string }

func (e *NotFoundError) Error() string { return "there is no order " + e.Number }

// begin gives the tenant of the call.
func (d *Desk) begin(ctx context.Context) (tenant string, err error) {
	call, ok := pack.CallFromContext(ctx)
	if !ok {
		return "", errors.New("the order desk needs a call's context: it keeps every tenant's orders apart")
	}
	return call.TenantID, nil
}

// sql writes a query, whose parameters are $1, $2, …, as the database reads them.
func (d *Desk) sql(query string) string {
	if d.sqlite {
		return strings.ReplaceAll(query, "$", "?")
	}
	return query
}

// querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// firstNumber is the number of a tenant's first order.
const firstNumber = 1001

func text(number int64) string { return "A-" + strconv.FormatInt(number, 10) }

func parse(number string) (int64, error) {
	n, err := strconv.ParseInt(strings.TrimPrefix(number, "A-"), 10, 64)
	if err != nil {
		return 0, &NotFoundError{number}
	}
	return n, nil
}

const columns = "number, customer, status, placed, lines, cents, tracking"

// scan reads a row of columns.
func scan(row interface{ Scan(...any) error }) (Order, int64, error) {
	var o Order
	var number, placed int64
	var lines string
	if err := row.Scan(&number, &o.Customer, &o.Status, &placed, &lines, &o.Cents, &o.Tracking); err != nil {
		return Order{}, 0, err
	}
	o.Number, o.Placed = text(number), time.UnixMilli(placed).UTC()
	if err := json.Unmarshal([]byte(lines), &o.Lines); err != nil {
		return Order{}, 0, fmt.Errorf("the lines of order %s: %w", o.Number, err)
	}
	return o, number, nil
}

// find finds an order of a tenant.
func (d *Desk) find(ctx context.Context, q querier, tenant, number string) (Order, error) {
	n, err := parse(number)
	if err != nil {
		return Order{}, err
	}
	row := q.QueryRowContext(ctx, d.sql("SELECT "+columns+" FROM orders WHERE tenant = $1 AND number = $2"), tenant, n)
	o, _, err := scan(row)
	if errors.Is(err, sql.ErrNoRows) {
		return Order{}, &NotFoundError{number}
	}
	return o, err
}

// insert writes a new order and gives it its number.
func (d *Desk) insert(ctx context.Context, q querier, tenant string, o *Order) error {
	var number int64
	err := q.QueryRowContext(ctx, d.sql(`INSERT INTO order_numbers (tenant, last) VALUES ($1, $2)
		ON CONFLICT (tenant) DO UPDATE SET last = order_numbers.last + 1 RETURNING last`), tenant, firstNumber).Scan(&number)
	if err != nil {
		return err
	}
	o.Number = text(number)
	lines, err := json.Marshal(o.Lines)
	if err != nil {
		return err
	}
	_, err = q.ExecContext(ctx, d.sql("INSERT INTO orders (tenant, "+columns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"),
		tenant, number, o.Customer, o.Status, o.Placed.UnixMilli(), string(lines), o.Cents, o.Tracking)
	return err
}

// move turns an open order into another status; it fails when the order is not open.
func (d *Desk) move(ctx context.Context, q querier, tenant, number, status, tracking string) error {
	n, err := parse(number)
	if err != nil {
		return err
	}
	result, err := q.ExecContext(ctx, d.sql("UPDATE orders SET status = $1, tracking = $2 WHERE tenant = $3 AND number = $4 AND status = 'open'"),
		status, tracking, tenant, n)
	if err != nil {
		return err
	}
	if changed, err := result.RowsAffected(); err != nil || changed == 1 {
		return err
	}
	o, err := d.find(ctx, q, tenant, number)
	if err != nil {
		return err
	}
	return fmt.Errorf("order %s is %s already", number, o.Status)
}
