package main

// anything is any JSON object.
type anything = map[string]any
