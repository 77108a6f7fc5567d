package ir

import (
	"reflect"
	"testing"
)

// TestSame: every field of a function counts, but for its place only in Same.
func TestSame(t *testing.T) {
	typ := reflect.TypeFor[Func]()
	for i := range typ.NumField() {
		var f, g Func
		field := reflect.ValueOf(&f).Elem().Field(i)
		switch field.Kind() {
		case reflect.String:
			field.SetString("x")
		case reflect.Slice:
			field.Set(reflect.MakeSlice(field.Type(), 1, 1))
		default:
			field.Set(reflect.ValueOf(1).Convert(field.Type()))
		}
		if f.Same(&g) || !f.Same(&f) {
			t.Errorf("%s does not count", typ.Field(i).Name)
		}
	}
	f, g := Func{Line: 1, Values: make([]Value, 1)}, Func{}
	if !f.SameHeader(&g) {
		t.Error("the body is in the header")
	}
}

// TestSameTables: every table of a program counts, and new functions may follow.
func TestSameTables(t *testing.T) {
	typ := reflect.TypeFor[Program]()
	for i := range typ.NumField() {
		var p, q Program
		field := reflect.ValueOf(&q).Elem().Field(i)
		if field.Kind() == reflect.Slice {
			field.Set(reflect.MakeSlice(field.Type(), 1, 1))
		} else {
			field.SetUint(1)
		}
		if p.SameTables(&q) || !q.SameTables(&q) {
			t.Errorf("%s does not count", typ.Field(i).Name)
		}
	}
	p := Program{Funcs: []Func{{}, {Name: "f"}, {Name: "g"}}}
	if q := (Program{Funcs: []Func{{}, {Name: "f"}}}); !p.SameTables(&q) || q.SameTables(&p) {
		t.Error("a function more")
	}
	if q := (Program{Funcs: []Func{{}, {Name: "g"}, {Name: "f"}}}); p.SameTables(&q) {
		t.Error("another order")
	}
}
