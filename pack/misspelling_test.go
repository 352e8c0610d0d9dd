package pack_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestMissingTokenHint has the record name what the token may have been called, and never
// what it holds.
func TestMissingTokenHint(t *testing.T) {
	t.Parallel()
	for env, hint := range map[string]string{
		"KINDGI_PACK_TOKEN":          " (KINDGI_PACK_TOKEN is set: was this one meant?)",
		"KINDGI_PACK_SERVICE_TOKENS": " (KINDGI_PACK_SERVICE_TOKENS is set: was this one meant?)",
		"KINGDI_PACK_SERVICE_TOKEN":  " (KINGDI_PACK_SERVICE_TOKEN is set: was this one meant?)",
		"kindgi_pack_service_token":  " (kindgi_pack_service_token is set: was this one meant?)",
		"PACK_SERVICE_TOKEN":         " (PACK_SERVICE_TOKEN is set: was this one meant?)",
		"KINDGI_TOKEN":               "", // of the command verify
		"ACCESS_TOKEN":               "",
		"KINDGI_PACK_SERVICE_PORT":   "",
	} {
		got := command{env: []string{env + "=hunter2"}}.run(t)
		var record struct {
			Event    string
			Problems []string
		}
		if err := json.Unmarshal([]byte(got.stderr), &record); err != nil || got.code != 1 || record.Event != "config-invalid" {
			t.Fatalf("%s: exit %d, %v: %q", env, got.code, err, got.stderr)
		}
		if want := []string{"KINDGI_PACK_SERVICE_TOKEN: it is required" + hint}; !slices.Equal(record.Problems, want) {
			t.Errorf("%s: the problems are %q, want %q", env, record.Problems, want)
		}
		if strings.Contains(got.stderr, "hunter2") {
			t.Errorf("%s: the record shows the value: %s", env, got.stderr)
		}
	}
}

// TestMisspeltSettings are named once, and the service starts.
func TestMisspeltSettings(t *testing.T) {
	t.Parallel()
	for env, meant := range map[string]string{
		"KINDGI_LOG_LEVLE":                    "KINDGI_LOG_LEVEL",
		"KINDGI_PACK_LOG_FORMAT":              "KINDGI_LOG_FORMAT",
		"KINDGI_TENANT_ID":                    "KINDGI_PACK_TENANT_ID",
		"KINDGI_PACK_MAX_CONCURRENCY":         "KINDGI_PACK_SERVICE_MAX_CONCURRENCY",
		"KINDGI_PACK_SERVICE_ENV_CHECK":       "KINDGI_PACK_ENV_CHECK",
		"KINDGY_PACK_ENV_FILTER":              "KINDGI_PACK_ENV_FILTER",
		"KINDGI_PACK_TOKEN":                   "", // the token is set
		"KINDGI_PACK_SERVICE_PORT":            "", // Kubernetes sets it
		"KINDGI_PACK_SERVICE_PORT_8080_TCP":   "",
		"KINDGI_SOMETHING_NEW":                "", // a newer runtime's
		"LOG_LEVEL":                           "", // the application's
		"KINDGI_" + strings.Repeat("A", 1000): "",
	} {
		// The service ends after its settings are read, for want of its index.
		got := command{args: []string{"--index", "no such file"}, env: []string{"KINDGI_PACK_SERVICE_TOKEN=x", env + "=hunter2"}}.run(t)
		first, rest, two := strings.Cut(strings.TrimSuffix(got.stderr, "\n"), "\n")
		if got.code != 1 || strings.Contains(got.stderr, "hunter2") {
			t.Errorf("%s: exit %d: %s", env, got.code, got.stderr)
		}
		if meant == "" {
			if two || !strings.Contains(first, `"event":"boot-failed"`) {
				t.Errorf("%s: it is no misspelling, and the records are %s", env, got.stderr)
			}
			continue
		}
		var record struct {
			Level, Kind, Event, Message string
			Names                       []string
		}
		if err := json.Unmarshal([]byte(first), &record); err != nil {
			t.Errorf("%s: %v: %s", env, err, first)
		}
		if record.Level != "warn" || record.Kind != "setting-unknown" || record.Event != record.Kind || !slices.Equal(record.Names, []string{env}) ||
			!strings.Contains(record.Message, env+` (did you mean "`+meant+`"?)`) || !strings.Contains(rest, `"event":"boot-failed"`) {
			t.Errorf("%s: the records are %s", env, got.stderr)
		}
	}
}
