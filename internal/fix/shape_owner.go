// This file mends objects that are lost with what holds them: the owner is released,
// what it points to is not.

package fix

import (
	"strings"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/edit"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
)

// beforeOwner releases what a field holds before its owner goes.
//
//	free(u->name);
//	free(u);
func beforeOwner(s *spot) []option {
	call := s.f.CallAt(s.loss.Pos.Line, s.loss.Pos.Col, "")
	if call == nil || jumps[s.stmt.Kind] != "" {
		return nil
	}
	var out []option
	for _, h := range s.fields(call) {
		what, ok := s.release(h)
		if !ok {
			continue
		}
		for _, text := range s.texts(what, h) {
			edits, err := edit.Before(s.f, s.stmt, text)
			out = append(out, s.option(what, place{"before " + strings.TrimSuffix(s.f.Source(call), ";"), call.Line}, edits, err)...)
		}
	}
	return out
}

// fields spells the fields of what a call is given that hold the object.
func (s *spot) fields(call *ast.Node) []string {
	var out []string
	add := func(name string) {
		for _, n := range out {
			if n == name {
				return
			}
		}
		out = append(out, name)
	}
	if !s.inCallee() {
		for _, n := range s.names() {
			add(n)
		}
	}
	for _, arg := range call.Args() {
		if !isStable(arg) {
			continue
		}
		text := s.f.Source(arg)
		for _, h := range s.holders {
			if h.Base == 0 || h.Many {
				continue
			}
			if field := s.field(arg, h); field != "" {
				if strings.HasPrefix(text, "*") {
					text = "(" + text + ")"
				}
				add(text + "->" + field)
			}
		}
	}
	return out
}

// field names the field of what an expression points to in which a holder is.
func (s *spot) field(arg *ast.Node, h leak.Holder) string {
	if i := max(strings.LastIndex(h.Name, "->")+1, strings.LastIndex(h.Name, ".")); i > 0 && !strings.ContainsAny(h.Name[i+1:], "[]()") {
		name := h.Name[i+1:]
		if s.hasField(arg, name) {
			return name
		}
	}
	st := s.structOf(arg)
	if st == nil || st.Union {
		return ""
	}
	for _, f := range st.Fields {
		if int64(f.Off) == h.Off && f.Type.Kind() == ir.Ptr {
			return f.Name
		}
	}
	return ""
}

func (s *spot) hasField(arg *ast.Node, name string) bool {
	st := s.structOf(arg)
	if st == nil {
		return false
	}
	for _, f := range st.Fields {
		if f.Name == name && f.Type.Kind() == ir.Ptr {
			return true
		}
	}
	return false
}

// structOf returns the struct that an expression points to.
func (s *spot) structOf(arg *ast.Node) *ir.Struct {
	typ := arg.Canon
	if typ == "" {
		typ = arg.Type
	}
	name, ok := strings.CutSuffix(strings.TrimSpace(typ), "*")
	if !ok {
		return nil
	}
	name = strings.TrimSpace(name)
	for _, prefix := range []string{"const ", "struct ", "class "} {
		name = strings.TrimPrefix(name, prefix)
	}
	structs := s.p.base.Program.Structs
	for i := range structs {
		if structs[i].Name == name && len(structs[i].Fields) > 0 {
			return &structs[i]
		}
	}
	return nil
}
