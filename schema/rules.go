package schema

// rules are the keywords that Ajv validates by, and known those that it only knows.
var rules = []string{
	"$dynamicAnchor", "$dynamicRef", "$recursiveAnchor", "$recursiveRef", "$comment", "id", "$ref",
	"maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum", "multipleOf", "maxLength", "minLength", "pattern",
	"maxProperties", "minProperties", "required", "maxItems", "minItems", "uniqueItems", "type", "nullable", "const", "enum",
	"not", "anyOf", "oneOf", "allOf", "if", "then", "else", "propertyNames", "additionalProperties", "dependencies",
	"properties", "patternProperties", "prefixItems", "items", "contains", "format", "dependentRequired", "dependentSchemas",
	"maxContains", "minContains", "unevaluatedProperties", "unevaluatedItems",
	"formatMaximum", "formatMinimum", "formatExclusiveMaximum", "formatExclusiveMinimum",
}

func isRule(keyword string) bool { return contains(rules, keyword) }

// groupOf reports whether Ajv has the keyword among those for the type.
func groupOf(keyword, typeName string) bool {
	switch keyword {
	case "maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum", "multipleOf":
		return typeName == "number"
	case "format":
		return typeName == "number" || typeName == "string"
	case "maxLength", "minLength", "pattern", "formatMaximum", "formatMinimum", "formatExclusiveMaximum", "formatExclusiveMinimum":
		return typeName == "string"
	case "maxItems", "minItems", "prefixItems", "items", "contains", "uniqueItems", "maxContains", "minContains", "unevaluatedItems":
		return typeName == "array"
	case "maxProperties", "minProperties", "required", "propertyNames", "additionalProperties", "dependencies", "properties",
		"patternProperties", "dependentRequired", "dependentSchemas", "unevaluatedProperties":
		return typeName == "object"
	}
	return false
}

// silentKeywords are the keywords that Ajv knows and does not validate by.
var silentKeywords = []string{
	"$async", "$schema", "$id", "$defs", "$vocabulary", "definitions", "title", "description", "default", "deprecated",
	"readOnly", "writeOnly", "examples", "contentMediaType", "contentEncoding", "contentSchema",
}

var formatLimits = []string{"formatMaximum", "formatMinimum", "formatExclusiveMaximum", "formatExclusiveMinimum"}
