package dbtest

const workerEnv = "IDEMPOTENCY_DBTEST_WORKER"

func runWorker(task string) int { return 1 }
