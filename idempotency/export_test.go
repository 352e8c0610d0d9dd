package idempotency

// StepJSON gives the array that a step's key is a hash of.
func StepJSON(s Step) ([]byte, error) { return s.appendJSON(nil) }
