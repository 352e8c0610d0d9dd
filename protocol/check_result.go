package protocol

import "github.com/go-json-experiment/json/jsontext"

// CheckResult is a check's verdict on a run. The zero value is a refusal without a reason.
type CheckResult struct {
	Passed        bool
	Reason        string                    // why, as a person or a model reads it; left out when ""
	JudgeResponse string                    // what a judging model answered; left out when ""
	Attributes    map[string]jsontext.Value // the check's own; left out when nil

	// Unknown has the members beyond these, by name. A verdict is open: a runtime passes them on.
	Unknown map[string]jsontext.Value
	zeros   zeros
}

// MarshalJSON gives the verdict as a JSON object. It fails when Attributes or Unknown hold what is not
// JSON.
func (r CheckResult) MarshalJSON() ([]byte, error) { return marshalObject(&r) }

// UnmarshalJSON reads a verdict; one without a boolean passed is an error.
func (r *CheckResult) UnmarshalJSON(data []byte) error { return unmarshalObject(data, r, false) }

func (r *CheckResult) visit(v *visitor) {
	v.open(&r.Unknown, &r.zeros)
	v.flag("passed", &r.Passed, vital)
	text(v, "reason", &r.Reason, optional)
	text(v, "judgeResponse", &r.JudgeResponse, optional)
	v.values("attributes", &r.Attributes, optional)
}
