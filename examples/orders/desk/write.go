package desk

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/kindgi/kindgi-go/idempotency"
	"github.com/kindgi/kindgi-go/pack"
)

// retention is how long the desk remembers what it did, longer than a run can wait.
const retention = 60 * 24 * time.Hour

// once is how every writing tool works: without a key, an older runtime's call, it does
// its work each time.
func once() []pack.OnceOption {
	return []pack.OnceOption{pack.AllowMissingKey(), pack.OnceWith(idempotency.WithRetention(retention))}
}

// Place is the tool acme.orders.place. The order and the record that it was placed commit
// together: a call that runs again gives the same order.
func (d *Desk) Place(ctx context.Context, in Placement) (Order, error) {
	tenant, err := d.begin(ctx)
	if err != nil {
		return Order{}, err
	}
	return pack.OnceTx(ctx, d.store, func(ctx context.Context, tx *sql.Tx) (Order, error) {
		o := Order{Customer: in.Customer, Status: "open", Placed: time.Now().UTC().Truncate(time.Millisecond), Lines: in.Lines}
		for _, line := range in.Lines {
			o.Cents += int64(line.Quantity) * line.Cents
		}
		err := d.insert(ctx, tx, tenant, &o)
		return o, err
	}, once()...)
}

// Cancel is the tool acme.orders.cancel.
func (d *Desk) Cancel(ctx context.Context, in Number) (Order, error) {
	tenant, err := d.begin(ctx)
	if err != nil {
		return Order{}, err
	}
	return pack.OnceTx(ctx, d.store, func(ctx context.Context, tx *sql.Tx) (Order, error) {
		if err := d.move(ctx, tx, tenant, in.Number, "cancelled", ""); err != nil {
			return Order{}, err
		}
		return d.find(ctx, tx, tenant, in.Number)
	}, once()...)
}

// Ship is the tool acme.orders.ship. The parcel is booked in another system, which no
// transaction of ours can take back: it gets the call's idempotency key (pack.Transport
// sends it), so that a booking that is asked for again is the same booking.
func (d *Desk) Ship(ctx context.Context, in Number) (Shipment, error) {
	tenant, err := d.begin(ctx)
	if err != nil {
		return Shipment{}, err
	}
	call, _ := pack.CallFromContext(ctx)
	base, ok := call.Env("CARRIER_URL")
	if !ok {
		return Shipment{}, errors.New("CARRIER_URL is not set for this tenant")
	}
	key, ok := call.Secret("CARRIER_KEY")
	if !ok {
		return Shipment{}, errors.New("CARRIER_KEY is not set for this tenant")
	}
	return pack.Once(ctx, d.store, func(ctx context.Context) (Shipment, error) {
		o, err := d.find(ctx, d.db, tenant, in.Number)
		if err != nil {
			return Shipment{}, err
		}
		if o.Status != "open" {
			return Shipment{}, fmt.Errorf("order %s is %s already", in.Number, o.Status)
		}
		code, err := d.book(ctx, base, key, in.Number)
		if err != nil {
			return Shipment{}, err
		}
		call.Log.InfoContext(ctx, "parcel booked", "number", in.Number, "tracking", code)
		return Shipment{in.Number, code}, d.move(ctx, d.db, tenant, in.Number, "shipped", code)
	}, once()...)
}

// book books a parcel and gives its tracking code.
func (d *Desk) book(ctx context.Context, base, key, number string) (string, error) {
	address, err := url.JoinPath(base, "parcels")
	if err != nil {
		return "", fmt.Errorf("CARRIER_URL: %w", err)
	}
	body, err := json.Marshal(map[string]string{"reference": number})
	if err != nil {
		return "", err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(string(body)))
	if err != nil {
		return "", err
	}
	r.Header.Set("Authorization", "Bearer "+key)
	r.Header.Set("Content-Type", "application/json")
	response, err := d.config.Client.Do(r)
	if err != nil {
		return "", fmt.Errorf("the carrier cannot be reached: %w", err)
	}
	defer response.Body.Close()
	var parcel struct {
		Code string `json:"code"`
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, 1<<20)).Decode(&parcel); err != nil || response.StatusCode != http.StatusCreated || parcel.Code == "" {
		return "", fmt.Errorf("the carrier answered %s", response.Status)
	}
	return parcel.Code, nil
}
