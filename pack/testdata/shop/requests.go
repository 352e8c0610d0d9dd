package main

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/kindgi/kindgi-go/pack"
	"github.com/kindgi/kindgi-go/protocol"
)

// Parcel is the input of the requests that the runtime makes itself.
type Parcel struct {
	Carrier string `json:"carrier" jsonschema:"enum=post,enum=bike"`
	Number  string `json:"number"`
}

// Track is where a parcel is.
type Track struct {
	Place string `json:"place"`
}

func addRequests(b *pack.Builder) {
	raw := false
	pack.AddHTTPTool[Parcel, Track](b, pack.Tool{ID: "acme.shop.track", Description: "Tells where a parcel is.", ReadOnly: true}, protocol.HTTPSpec{
		Method:        "GET",
		URLTemplate:   "https://track.example.com/{carrier}/{number}",
		Headers:       []protocol.HTTPHeader{{Name: "Accept", Value: "application/json"}},
		Authorization: &protocol.HTTPAuthorization{Kind: protocol.AuthorizationHeader, HeaderName: "X-Api-Key", SecretRef: &protocol.SecretRef{EnvName: "production", Name: "TRACK_KEY"}},
		TimeoutMs:     5000,
		SuccessStatus: &protocol.StatusRange{Min: 200, Max: 299},
	})
	pack.AddHTTPTool[Parcel, string](b, pack.Tool{
		ID:        "acme.shop.notify",
		NeedsSpec: &protocol.NeedsSpec{Connections: map[string]*protocol.Connection{"mail": {As: protocol.ConnectionPerson}}},
	}, protocol.HTTPSpec{
		Method:        "POST",
		URLTemplate:   "https://mail.example.com/send",
		Authorization: &protocol.HTTPAuthorization{Kind: "connection", Unknown: map[string]jsontext.Value{"connection": jsontext.Value(`"mail"`)}},
		RequestBody:   &protocol.HTTPRequestBody{Kind: protocol.BodyText, Template: "Parcel {number} is on its way by {carrier}."},
		ParseJSON:     &raw,
	})
	pack.AddHTTPTool[Parcel, Track](b, pack.Tool{ID: "acme.shop.redirect"}, protocol.HTTPSpec{
		Method:        "PUT",
		URLTemplate:   "https://track.example.com/{number}",
		Authorization: &protocol.HTTPAuthorization{Kind: protocol.AuthorizationBearer, SecretRef: &protocol.SecretRef{EnvName: "production", Name: "TRACK_TOKEN"}},
		RequestBody:   &protocol.HTTPRequestBody{Kind: protocol.BodyJSONInput},
	})
}
