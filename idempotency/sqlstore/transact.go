package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
)

// Transact runs fn in a transaction: see [idempotency.TxStore]. In SQLite the transaction holds the write
// lock from its beginning, so fn never fails halfway because another writer was faster.
func (s *Store) Transact(ctx context.Context, fn func(ctx context.Context, tx *sql.Tx) error) error {
	tx, err := s.begin(ctx)
	if err != nil {
		return fmt.Errorf("sqlstore: begin: %w", err)
	}
	done := false
	defer func() {
		if !done { // fn failed, panicked or ended its goroutine; the rollback's error would say less than that
			_ = tx.Rollback()
		}
	}()
	if err := fn(ctx, tx); err != nil {
		return err
	}
	done = true
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("sqlstore: commit: %w", err)
	}
	return nil
}

func (s *Store) begin(ctx context.Context) (tx *sql.Tx, err error) {
	err = s.retry(ctx, func() error {
		tx, err = s.db.BeginTx(ctx, s.tx)
		if err != nil || s.dialect != SQLite {
			return err
		}
		if _, err := tx.ExecContext(ctx, s.sql.lock); err != nil {
			_ = tx.Rollback() // the reason to give up is err
			return err
		}
		return nil
	})
	return tx, err
}
