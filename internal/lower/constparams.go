// This file finds out which parameters of declared functions point to what is
// const.

package lower

import (
	"github.com/plumb-project/plumb/internal/bitcode"
	"github.com/plumb-project/plumb/internal/ir"
)

// constParams adds ParamConst to the parameters of f that the source declares as
// pointers to something const. A pointer to const void that is all a function is
// given is left out: that is how functions that release anything are declared.
func constParams(m *module, f *bitcode.Func, params []ir.ParamFlags) {
	t, ok := m.MD.Type(m.MD.FuncType(f.Debug), m.constUint)
	if !ok {
		return
	}
	types := m.MD.List(t.Elements)
	if len(types) > 0 {
		types = types[1:] // the result
	}
	if n := len(types); n > 0 && m.Types[f.Type].VarArg {
		types = types[:n-1] // the dots
	}
	if len(params) > 0 && params[0]&ir.ParamSRet != 0 {
		params = params[1:]
	}
	if len(types) != len(params) {
		return // a struct is passed in pieces
	}
	for i, id := range types {
		pointee, isConst := m.pointee(id)
		if isConst && (len(params) > 1 || pointee != bitcode.NoMD) {
			params[i] |= ir.ParamConst
		}
	}
}

// pointee returns what a pointer or reference of this type points to, NoMD for
// void, and whether that is const.
func (m *module) pointee(id bitcode.MDID) (to bitcode.MDID, isConst bool) {
	behind := false
	for range maxAliasDepth {
		t, ok := m.MD.Type(id, m.constUint)
		switch {
		case !ok:
			return bitcode.NoMD, isConst
		case !behind && (t.Tag == bitcode.TagPointer || t.Tag == bitcode.TagReference):
			behind = true
		case behind && t.Tag == bitcode.TagConst:
			isConst = true
		case t.Tag != bitcode.TagTypedef && t.Tag != bitcode.TagConst && t.Tag != bitcode.TagVolatile && t.Tag != bitcode.TagRestrict && t.Tag != bitcode.TagAtomic:
			return id, isConst
		}
		id = t.Base
	}
	return bitcode.NoMD, false
}
