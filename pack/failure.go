package pack

import (
	"errors"
	"fmt"

	"github.com/kindgi/kindgi-go/internal/record"
	"github.com/kindgi/kindgi-go/protocol"
)

// failure makes the protocol's message of whatever went wrong with a call. It is the one
// place where that happens.
func (c *invocation) failure(err error) *protocol.Error {
	if e, ok := errors.AsType[*protocol.Error](err); ok {
		return e
	}
	if e, ok := errors.AsType[*refusal](err); ok {
		return c.invalid(e.issues)
	}
	if e, ok := errors.AsType[*unencodable](err); ok {
		return c.about(&protocol.Error{Code: protocol.OutputValidationFailed, Message: c.producer() + " that is not JSON: " + c.hide(e.Error())})
	}
	t, ok := errors.AsType[*throw](err)
	if !ok {
		t = threw(err)
	}
	return c.thrown(t)
}

// invalid is the message for an input or a configuration that was refused.
func (c *invocation) invalid(issues []protocol.Issue) *protocol.Error {
	e := &protocol.Error{Code: protocol.InputValidationFailed, Issues: issues}
	if c.target == targetTool {
		e.Message = fmt.Sprintf("Tool \"%s\" input failed validation", c.id)
		return c.about(e)
	}
	// A runtime reports a check's error by its code and message alone: the first issue
	// has to be in it.
	e.Message = fmt.Sprintf("Check \"%s\" config failed validation", c.id)
	if len(issues) > 0 {
		e.Message += describe(issues[0])
	}
	return c.about(e)
}

// producer begins the messages about what the author's code returned.
func (c *invocation) producer() string {
	if c.target == targetTool {
		return fmt.Sprintf("Tool \"%s\" handler produced output", c.id)
	}
	return fmt.Sprintf("Check \"%s\" evaluate() produced a result", c.id)
}

// thrown is the message for an error or a panic of the author's code.
func (c *invocation) thrown(t *throw) *protocol.Error {
	text := c.hide(t.text)
	e := &protocol.Error{
		Code:  protocol.HandlerThrow,
		Cause: &protocol.Cause{Name: t.name, Message: text, Stack: c.hide(t.stack)},
	}
	if c.target == targetTool {
		e.Message = fmt.Sprintf("Handler for tool \"%s\" threw: %s: %s", c.id, t.name, text)
	} else {
		e.Message = fmt.Sprintf("Check \"%s\" evaluate() threw: %s: %s", c.id, t.name, text)
	}
	return c.about(e)
}

// hide takes the call's secrets out of a text that leaves the service.
func (c *invocation) hide(text string) string {
	if c.ids == nil {
		return text
	}
	return record.HideSecrets(text, c.ids.Secrets)
}
