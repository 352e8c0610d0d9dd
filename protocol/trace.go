package protocol

// RunTrace is the run a check evaluates.
type RunTrace struct {
	RunID    string
	TenantID string
}
