package protocol_test

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/protocol"
)

func ExampleIndex_Bytes() {
	index := protocol.Index{
		PackID: "acme.orders", PackVersion: "1.2.0", ArtifactVersion: "20260102.1", PublishedAt: "2026-01-02T03:04:05.678Z",
		Tools: []protocol.IndexTool{{
			ID: "acme.orders.lookup", Version: "1.2.0", ModulePath: "main.go", Mutating: new(false),
			Input:  jsontext.Value(`{"type":"object","maxProperties":1.0}`),
			Output: jsontext.Value(`{}`),
		}},
	}
	file, err := index.Bytes()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", file)
	fmt.Println(protocol.Hash(file))
	// Output:
	// {
	//   "agents": [],
	//   "artifactVersion": "20260102.1",
	//   "flows": [],
	//   "guardrails": [],
	//   "packId": "acme.orders",
	//   "packVersion": "1.2.0",
	//   "publishedAt": "2026-01-02T03:04:05.678Z",
	//   "tools": [
	//     {
	//       "id": "acme.orders.lookup",
	//       "input": {
	//         "maxProperties": 1,
	//         "type": "object"
	//       },
	//       "modulePath": "main.go",
	//       "mutating": false,
	//       "output": {},
	//       "version": "1.2.0"
	//     }
	//   ],
	//   "v": 1
	// }
	// sha256:c47105f8dda54009238c675643e0fae64973525607f79f535f2d9660ef6ab2e9
}

// Every problem of an index is in the error, with its place.
func ExampleParseIndex() {
	_, err := protocol.ParseIndex([]byte(`{"v":1,"packId":"acme.orders","packVersion":"1.2.0","artifactVersion":"1",` +
		`"publishedAt":"2026-01-02T03:04:05.678Z","tools":[{"id":"acme.orders.lookup","input":{}}],"guardrails":{},"agents":[],"flows":[]}`))
	if list, ok := errors.AsType[interface {
		error
		Unwrap() []error
	}](err); ok {
		for _, problem := range list.Unwrap() {
			fmt.Println(problem)
		}
	}

	_, err = protocol.ParseIndex([]byte(`{"v":2}`))
	fmt.Println(err)
	// Output:
	// /tools/0/output is required
	// /tools/0/modulePath is required
	// /guardrails must be a list, not an object
	// Index envelope v2 is not v1
}

// A tool that the runtime runs itself is data.
func ExampleHTTPSpec() {
	spec := protocol.HTTPSpec{
		Method:      "GET",
		URLTemplate: "https://api.example.com/orders/{number}",
		Headers:     []protocol.HTTPHeader{{Name: "Accept", Value: "application/json"}},
		Authorization: &protocol.HTTPAuthorization{
			Kind:      protocol.AuthorizationBearer,
			SecretRef: &protocol.SecretRef{EnvName: "production", Name: "ORDERS_TOKEN"},
		},
		SuccessStatus: &protocol.StatusRange{Min: 200, Max: 299},
	}
	b, err := json.Marshal(spec)
	fmt.Println(string(b), err)
	// Output: {"kind":"http","method":"GET","urlTemplate":"https://api.example.com/orders/{number}","headers":[{"name":"Accept","value":"application/json"}],"authorization":{"kind":"bearer","secretRef":{"envName":"production","name":"ORDERS_TOKEN"}},"successStatus":{"min":200,"max":299}} <nil>
}

// What this package has no field for goes beside the fields that it has.
func ExampleFlow() {
	flow := protocol.Flow{
		ID: "acme.orders.intake", Version: "1.0.0", ModulePath: "flows.go",
		Nodes: []protocol.Node{{
			ID: "lookup", Kind: protocol.NodeTool, Ref: "acme.orders.lookup",
			Unknown: map[string]jsontext.Value{"retries": jsontext.Value("3")},
		}},
		Edges: []protocol.Edge{
			{ID: "in", From: protocol.Start, To: "lookup"},
			{ID: "out", From: "lookup", To: protocol.End},
		},
	}
	b, err := json.Marshal(flow)
	fmt.Println(string(b), err)
	// Output: {"id":"acme.orders.intake","version":"1.0.0","nodes":[{"id":"lookup","kind":"tool","ref":"acme.orders.lookup","retries":3}],"edges":[{"id":"in","from":"$start","to":"lookup"},{"id":"out","from":"lookup","to":"$end"}],"kernelPayloadVersion":1,"modulePath":"flows.go"} <nil>
}

func ExampleToolManifest() {
	var manifest protocol.ToolManifest
	err := json.Unmarshal([]byte(`{"id":"acme.orders.lookup","version":"1.2.0","mutating":false,"pausable":true}`), &manifest)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(manifest.ID, manifest.Version, *manifest.Mutating, string(manifest.Unknown["pausable"]))
	b, err := json.Marshal(manifest)
	fmt.Println(string(b), err)
	// Output:
	// acme.orders.lookup 1.2.0 false true
	// {"id":"acme.orders.lookup","version":"1.2.0","mutating":false,"pausable":true} <nil>
}
