package leak

import (
	"reflect"
	"testing"

	"github.com/plumb-project/plumb/internal/ir"
)

// TestMentions: reuse knows every place of a summary that names a function.
func TestMentions(t *testing.T) {
	var found []string
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(typ reflect.Type) {
		if seen[typ] {
			return
		}
		seen[typ] = true
		switch typ.Kind() {
		case reflect.Struct:
			for i := range typ.NumField() {
				f := typ.Field(i)
				if f.Type == reflect.TypeFor[ir.FuncID]() {
					found = append(found, typ.Name()+"."+f.Name)
				}
				walk(f.Type)
			}
		case reflect.Map:
			walk(typ.Key())
			walk(typ.Elem())
		case reflect.Pointer, reflect.Slice, reflect.Array:
			walk(typ.Elem())
		}
	}
	walk(reflect.TypeFor[summary]())
	if !reflect.DeepEqual(found, []string{"releaser.fn"}) {
		t.Errorf("summaries name functions in %v: mentioned must know them", found)
	}
}
