module github.com/kindgi/kindgi-go/schema/suite

go 1.26.0

require (
	github.com/google/jsonschema-go v0.4.3
	github.com/kindgi/kindgi-go v0.0.0
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
)

require (
	github.com/go-json-experiment/json v1.27.2 // indirect
	golang.org/x/text v0.14.0 // indirect
)

replace github.com/kindgi/kindgi-go => ../..
