package record

import (
	"context"
	"fmt"
	"log/slog"
)

// IDs are the correlation ids of a call, in the order records give them. An empty one is not
// written. Handlers share an *IDs: it must not change once it is handed over.
type IDs struct {
	TraceID, SpanID, RunTraceID, RequestID, TenantID, ProjectID, OrgID, RunID, ParentRunID string
	AgentID, AgentVersion, FlowID, FlowVersion, ToolID, ConversationID, ApprovalID         string

	// Secrets are the call's secret values. Those of 8 characters or more are redacted wherever
	// they appear in a record.
	Secrets []string

	// Subsystem is the one of a handler's own records: pack.tool or pack.check.
	Subsystem string
}

// Key is the context key under which a call's *IDs are found: ctx.Value(record.Key{}).
type Key struct{}

// Format implements [fmt.Formatter]: no verb shows a secret.
func (ids IDs) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "ids of run %s, request %s", ids.RunID, ids.RequestID)
}

// LogValue implements [slog.LogValuer].
func (ids IDs) LogValue() slog.Value {
	attrs := make([]slog.Attr, 0, len(idNames))
	for i, name := range idNames {
		if v := *ids.at(i); v != "" {
			attrs = append(attrs, slog.String(name, v))
		}
	}
	return slog.GroupValue(attrs...)
}

// idNames are the names of the ids in a record, in their order.
var idNames = [...]string{
	"traceId", "spanId", "runTraceId", "requestId", "tenantId", "projectId", "orgId", "runId", "parentRunId",
	"agentId", "agentVersion", "flowId", "flowVersion", "toolId", "conversationId", "approvalId",
}

// toolID is the index of toolId in idNames.
const toolID = 13

// at gives the id that idNames[i] names.
func (ids *IDs) at(i int) *string {
	switch i {
	case 0:
		return &ids.TraceID
	case 1:
		return &ids.SpanID
	case 2:
		return &ids.RunTraceID
	case 3:
		return &ids.RequestID
	case 4:
		return &ids.TenantID
	case 5:
		return &ids.ProjectID
	case 6:
		return &ids.OrgID
	case 7:
		return &ids.RunID
	case 8:
		return &ids.ParentRunID
	case 9:
		return &ids.AgentID
	case 10:
		return &ids.AgentVersion
	case 11:
		return &ids.FlowID
	case 12:
		return &ids.FlowVersion
	case toolID:
		return &ids.ToolID
	case 14:
		return &ids.ConversationID
	default:
		return &ids.ApprovalID
	}
}

// fromContext gives the ids of the call that ctx belongs to, or nil.
func fromContext(ctx context.Context) *IDs {
	if ctx == nil {
		return nil
	}
	ids, _ := ctx.Value(Key{}).(*IDs)
	return ids
}
