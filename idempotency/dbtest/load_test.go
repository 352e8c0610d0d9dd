package dbtest

func loadWorker(t task) error { return nil }
