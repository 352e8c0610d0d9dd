package sqlstore_test

import (
	"database/sql"
	"fmt"
	"log"

	"github.com/kindgi/kindgi-go/idempotency/sqlstore"
)

func ExampleNew() {
	// A driver, such as github.com/jackc/pgx/v5/stdlib, is imported for its name.
	db, err := sql.Open("pgx", "postgres://localhost/shop")
	if err != nil {
		log.Print(err)
		return
	}
	defer db.Close()
	store, err := sqlstore.New(db, sqlstore.PostgreSQL, sqlstore.Options{Table: "shop.idempotency"})
	if err != nil {
		log.Print(err)
		return
	}
	fmt.Println(store.Migration())
}
