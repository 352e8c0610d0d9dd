package pack

import (
	"reflect"
	"sync"

	"github.com/kindgi/kindgi-go/schema"
)

// derivedSchemas holds the schemas of a pack's Go types. A type's is derived once, however many
// tools and checks have it: they share the compiled schema, which does not change.
type derivedSchemas struct {
	mu     sync.Mutex
	byType map[reflect.Type]func() (*schema.Schema, error)
}

// of gives the schema of a type, or why it has none. It is safe for concurrent use.
func (d *derivedSchemas) of(t reflect.Type) (*schema.Schema, error) {
	d.mu.Lock()
	derive, ok := d.byType[t]
	if !ok {
		derive = sync.OnceValues(func() (*schema.Schema, error) { return schema.ForType(t) })
		if d.byType == nil {
			d.byType = make(map[reflect.Type]func() (*schema.Schema, error))
		}
		d.byType[t] = derive
	}
	d.mu.Unlock()
	return derive() // without the lock: it runs the hooks of the author's types
}
