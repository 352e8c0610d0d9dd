package pack

import (
	"cmp"
	"context"
	"errors"
	"log/slog"

	"github.com/kindgi/kindgi-go/internal/record"
	"github.com/kindgi/kindgi-go/protocol"
	"github.com/kindgi/kindgi-go/schema"
)

// errRuntimeRuns is the answer to a call of a tool that has no handler here.
var errRuntimeRuns = errors.New("this tool is an HTTP request that the runtime makes itself; its pack service has no handler for it")

// callTool runs a tool: defaults, validation, the handler, validation of its output. It
// returns the message that answers the call; the output in it is the bytes that were validated.
func (s *Service) callTool(c *invocation, m *protocol.ToolInvoke) ([]byte, error) {
	t, missing := s.catalog.tool(m.ToolID, m.Version)
	c.target, c.id = targetTool, m.ToolID
	if missing != nil {
		c.id = missing.ToolID
	}
	call := c.call
	call.ToolID = c.id
	call.setContext(&m.Context)
	call.input = m.Input
	call.bindLog(s.toolLog)
	if missing != nil {
		return nil, missing
	}
	c.version, call.Version, call.ReadOnly = t.Version, t.Version, t.ReadOnly
	if t.ReadOnly {
		call.didOnce = &t.didOnce
	}
	if t.prepare == nil {
		return nil, c.thrown(threw(errRuntimeRuns))
	}
	input := []byte(m.Input)
	if input == nil {
		input = []byte("null") // what is absent is refused as null is
	}
	c.tool, c.handler = t, t.prepare()
	if len(input) > quickInput {
		c.input, c.unchecked = input, true
	} else if err := c.take(input); err != nil {
		return nil, err
	}
	answer, err := c.run()
	if err != nil {
		return nil, err
	}
	if t.inert().output {
		c.output = s.buffers.get()
		if answer, err = c.encodeOutput(c.output.bytes); err != nil {
			return nil, err
		}
		c.output.bytes = answer
		if c.ended() {
			return nil, c.expired()
		}
	}
	c.handler, c.input = nil, nil // an answer that waits for its reader keeps neither value alive
	return answer, nil
}

// quickInput is the longest input, in bytes, that is checked before the call's deadline is watched: it
// takes some milliseconds. A longer one is checked in the handler's goroutine, so that the call is answered
// at its deadline, however long the schema's patterns take.
const quickInput = 256 << 10

// take fills in and checks an input, and decodes it when that cannot run away: no need then for
// the handler's goroutine, nor to grow its stack. Else it leaves it in c.input.
func (c *invocation) take(input []byte) error {
	t := c.tool
	input, err := t.input.Fill(input)
	if err != nil {
		return err
	}
	if t.inert().input {
		return c.handler.decode(input, t.input)
	}
	// Only what the schema admits is worth a goroutine.
	if issues := t.input.Check(input); len(issues) > 0 {
		return &refusal{issues}
	}
	c.input = input
	return nil
}

// runTool is what a tool's call does in the handler's goroutine.
func (c *invocation) runTool(ctx context.Context) ([]byte, error) {
	if input := c.input; input != nil {
		var s *schema.Schema // nil: the input is checked
		if c.unchecked {
			s = c.tool.input
			var err error
			if input, err = s.Fill(input); err != nil {
				return nil, err
			}
		}
		if err := c.handler.decode(input, s); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err // the call has been answered: its handler need not run any more
		}
	}
	if err := c.handler.run(ctx); err != nil || c.tool.inert().output {
		return nil, err
	}
	return c.encodeOutput(make([]byte, 0, 512))
}

// The message that carries a tool's output, around it: see [protocol.AppendToolResult].
const (
	resultHead = `{"v":2,"kind":"result","output":`
	resultTail = `}`
)

// encodeOutput appends the message with what the handler returned to b, which is empty. An output may be
// large: it is written where it is sent from, and not copied.
func (c *invocation) encodeOutput(b []byte) ([]byte, error) {
	message, issues, err := c.handler.encode(append(b, resultHead...), c.tool.output)
	switch {
	case err != nil:
		return nil, &unencodable{err.Error()}
	case len(issues) > 0:
		return nil, c.about(&protocol.Error{Code: protocol.OutputValidationFailed, Message: c.producer() + " that failed validation", Issues: issues})
	}
	return append(message, resultTail...), nil
}

// callCheck runs a check: validation of its configuration as sent, defaults, the check.
func (s *Service) callCheck(c *invocation, m *protocol.CheckInvoke) ([]byte, error) {
	k, missing := s.catalog.check(m.CheckID)
	c.target, c.id = targetCheck, m.CheckID
	if missing != nil {
		c.id = missing.CheckID
	}
	call := c.call
	call.CheckID = c.id
	run, traceErr := decodeTrace(m.Trace)
	call.setTrace(run)
	call.bindLog(s.checkLog)
	switch {
	case missing != nil:
		return nil, missing
	case traceErr != nil:
		return nil, c.about(traceErr)
	}
	config := []byte(m.Config)
	if k.configSchema != nil {
		// The whole message was scanned when it was parsed: config is valid JSON.
		if issues := k.configSchema.Check(config); len(issues) > 0 {
			return nil, c.invalid(issues)
		}
		var err error
		if config, err = k.configSchema.Fill(config); err != nil {
			return nil, err
		}
	}
	c.code = func(ctx context.Context) ([]byte, error) {
		result, err := k.run(ctx, config, run)
		if err != nil {
			return nil, err
		}
		return protocol.AppendCheckResult(nil, result), nil
	}
	return c.run()
}

// bindLog binds the call's ids to its logger, whose records are log's.
func (c *Call) bindLog(log *record.Handler) {
	ids := &c.ids
	ids.Subsystem = log.Name()
	ids.ToolID = c.ToolID
	ids.TenantID = cmp.Or(c.TenantID, ids.TenantID)
	ids.RunID = cmp.Or(c.RunID, ids.RunID)
	ids.RequestID = cmp.Or(c.RequestID, ids.RequestID)
	ids.ProjectID, ids.OrgID = c.ProjectID, c.OrgID
	ids.Secrets = c.secrets()
	c.handler = log.Bind(ids)
	c.log = &c.handler
	c.logger = *slog.New(c.log)
	c.Log = &c.logger
}

// setTrace takes what a run's trace says about the run.
func (c *Call) setTrace(run *protocol.RunTrace) {
	c.TenantID, c.RunID = run.TenantID, run.RunID
	c.ProjectID = run.ProjectID
	c.ids.AgentID, c.ids.FlowID = run.AgentID, run.FlowID
	c.ids.ConversationID = run.ConversationID
}
