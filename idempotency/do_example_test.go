package idempotency_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/kindgi/kindgi-go/idempotency"
	"github.com/kindgi/kindgi-go/idempotency/sqlstore"
)

// The second call gets the first one's result. The key goes on to the payment gateway, so that even a
// crash between the charge and its record charges nobody twice.
func Example() {
	type Charge struct {
		ID     string `json:"id"`
		Amount int    `json:"amount"`
	}
	gateway := func(idempotencyKey string, amount int) Charge {
		fmt.Println("charging", amount)
		return Charge{ID: "ch_1", Amount: amount}
	}

	store := &idempotency.Memory{} // sqlstore.New in a service with replicas
	charge := func(ctx context.Context, tenant, id string, amount int) (Charge, error) {
		key := idempotency.Key{
			Tenant:      tenant,
			ID:          id,
			Fingerprint: idempotency.Fingerprint(fmt.Append(nil, amount), "charge"),
		}
		return idempotency.Do(ctx, store, key, func(context.Context) (Charge, error) {
			return gateway(id, amount), nil
		})
	}

	const id = "f6c8a374-b63c-5453-8320-1ca9c067447a"
	for range 2 {
		fmt.Println(charge(context.Background(), "acme", id, 100))
	}
	_, err := charge(context.Background(), "acme", id, 999)
	fmt.Println(errors.Is(err, idempotency.ErrKeyReused), err)
	// Output:
	// charging 100
	// {ch_1 100} <nil>
	// {ch_1 100} <nil>
	// true idempotency: key "f6c8a374-b63c-5453-8320-1ca9c067447a": the key was used before with another input
}

// A failure that trying again cannot mend is recorded; any other is not.
func ExamplePermanent() {
	store := &idempotency.Memory{}
	attempts := 0
	charge := func() error {
		_, err := idempotency.Do(context.Background(), store, idempotency.Key{ID: "charge-1"},
			func(context.Context) (string, error) {
				attempts++
				if attempts == 1 {
					return "", errors.New("the gateway is down")
				}
				return "", idempotency.Permanent(errors.New("the card was declined"))
			})
		return err
	}
	for range 3 {
		fmt.Println(charge())
	}
	fmt.Println(attempts, "attempts")
	// Output:
	// the gateway is down
	// the card was declined
	// the card was declined
	// 2 attempts
}

func ExampleWithReplayed() {
	store := &idempotency.Memory{}
	for range 2 {
		var replayed bool
		n, err := idempotency.Do(context.Background(), store, idempotency.Key{ID: "answer"},
			func(context.Context) (int, error) { return 42, nil },
			idempotency.WithReplayed(&replayed))
		fmt.Println(n, err, replayed)
	}
	// Output:
	// 42 <nil> false
	// 42 <nil> true
}

// The row and its record commit together. A crash at any moment leaves both or neither.
func ExampleDoTx() {
	// A driver, such as github.com/jackc/pgx/v5/stdlib, is imported for its name.
	db, err := sql.Open("pgx", "postgres://localhost/shop")
	if err != nil {
		log.Print(err)
		return
	}
	defer db.Close()
	store, err := sqlstore.New(db, sqlstore.PostgreSQL, sqlstore.Options{})
	if err != nil {
		log.Print(err)
		return
	}
	ctx := context.Background()
	if err := store.Migrate(ctx); err != nil {
		log.Print(err)
		return
	}
	key := idempotency.Key{Tenant: "acme", ID: "f6c8a374-b63c-5453-8320-1ca9c067447a"}
	refund, err := idempotency.DoTx(ctx, store, key, func(ctx context.Context, tx *sql.Tx) (id int64, err error) {
		err = tx.QueryRowContext(ctx, "INSERT INTO refunds (amount) VALUES ($1) RETURNING id", 100).Scan(&id)
		return id, err
	}, idempotency.WithRetention(60*24*time.Hour))
	log.Print(refund, err)
}

// Memory serves tests and programs of one process. It is bounded and refuses a new key when it is full.
func ExampleMemory() {
	store := &idempotency.Memory{MaxRecords: 2}
	for _, id := range []string{"a", "b", "c", "a"} {
		_, err := idempotency.Do(context.Background(), store, idempotency.Key{ID: id},
			func(context.Context) (string, error) { return id, nil })
		fmt.Println(id, errors.Is(err, idempotency.ErrFull))
	}
	// Output:
	// a false
	// b false
	// c true
	// a false
}

// A service purges now and then; several processes may do so at once.
func ExamplePurgeExpired() {
	store := &idempotency.Memory{}
	_, err := idempotency.Do(context.Background(), store, idempotency.Key{ID: "a"},
		func(context.Context) (string, error) { return "done", nil },
		idempotency.WithRetention(time.Nanosecond))
	if err != nil {
		fmt.Println(err)
	}
	for store.Len() > 0 {
		if _, err := idempotency.PurgeExpired(context.Background(), store, 500); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(store.Len(), "records")
	// Output: 0 records
}

// The order of members and the white space of a JSON input make no difference.
func ExampleFingerprintJSON() {
	a, _ := idempotency.FingerprintJSON([]byte(`{"order": 7, "amount": 100}`), "acme.refunds.issue")
	b, _ := idempotency.FingerprintJSON([]byte(`{"amount":100,"order":7}`), "acme.refunds.issue")
	c, _ := idempotency.FingerprintJSON([]byte(`{"amount":101,"order":7}`), "acme.refunds.issue")
	fmt.Println(a == b, a == c)
	// Output: true false
}
