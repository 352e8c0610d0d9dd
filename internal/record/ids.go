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
	for i, v := range ids.values() {
		if v != "" {
			attrs = append(attrs, slog.String(idNames[i], v))
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

// values gives the ids in the order of idNames.
func (ids *IDs) values() [len(idNames)]string {
	return [...]string{
		ids.TraceID, ids.SpanID, ids.RunTraceID, ids.RequestID, ids.TenantID, ids.ProjectID, ids.OrgID, ids.RunID, ids.ParentRunID,
		ids.AgentID, ids.AgentVersion, ids.FlowID, ids.FlowVersion, ids.ToolID, ids.ConversationID, ids.ApprovalID,
	}
}

// named gives the id of the name, empty when it is not known or the name is not one's.
func (ids *IDs) named(name string) string {
	switch name {
	case "traceId":
		return ids.TraceID
	case "spanId":
		return ids.SpanID
	case "runTraceId":
		return ids.RunTraceID
	case "requestId":
		return ids.RequestID
	case "tenantId":
		return ids.TenantID
	case "projectId":
		return ids.ProjectID
	case "orgId":
		return ids.OrgID
	case "runId":
		return ids.RunID
	case "parentRunId":
		return ids.ParentRunID
	case "agentId":
		return ids.AgentID
	case "agentVersion":
		return ids.AgentVersion
	case "flowId":
		return ids.FlowID
	case "flowVersion":
		return ids.FlowVersion
	case "toolId":
		return ids.ToolID
	case "conversationId":
		return ids.ConversationID
	case "approvalId":
		return ids.ApprovalID
	default:
		return ""
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
