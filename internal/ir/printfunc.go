// This file writes functions as text.

package ir

import (
	"bytes"
	"io"
	"strings"
)

// Func writes one function, with the table of its variables and scopes.
func (pr *Printer) Func(w io.Writer, id FuncID) error {
	f := &pr.p.Funcs[id]
	pr.signature(id, f)
	if f.IsDecl() {
		pr.str("\n")
		return pr.flush(w)
	}
	pr.str(" {\n")
	for i := 1; i < len(f.Scopes); i++ {
		pr.scope(ScopeID(i), &f.Scopes[i])
	}
	for i := 1; i < len(f.Vars); i++ {
		pr.variable(VarID(i), &f.Vars[i])
	}
	for b := 1; b < len(f.Blocks); b++ {
		pr.block(id, f, BlockID(b))
		if len(pr.buf) > 1<<16 {
			if err := pr.flush(w); err != nil {
				return err
			}
		}
	}
	pr.str("}\n")
	return pr.flush(w)
}

// InstString returns instruction v as one line of text, without its location.
func (pr *Printer) InstString(f *Func, v ValueID) string {
	start := len(pr.buf)
	pr.inst(f, v)
	s := string(pr.buf[start:])
	pr.buf = pr.buf[:start]
	return s
}

func (pr *Printer) signature(id FuncID, f *Func) {
	pr.str("func ").funcRef(id).str("(")
	for i := range f.NParams {
		if i > 0 {
			pr.str(", ")
		}
		pr.str("%").uint(uint64(i + 1))
		if int(i+1) < len(f.Values) {
			pr.str(": ").typ(f.Values[i+1].Type)
			if v := f.Values[i+1].Var; v != 0 {
				pr.str(" ").varRef(f, v)
			}
		}
		if int(i) < len(f.Params) {
			pr.flags(uint64(f.Params[i]), paramFlagNames)
		}
	}
	pr.str(") ").typ(f.Result)
	pr.linkage(f.Linkage)
	pr.flags(uint64(f.Flags), funcFlagNames)
	pr.attr("unit", uint64(f.Unit))
	if f.Sig != 0 {
		pr.str(" sig=").sig(f.Sig)
	}
	pr.at(f.File, f.Line)
	pr.text("display", f.Display)
	pr.text("alloc", f.Alloc)
	if f.Personality != 0 {
		pr.str(" personality=").funcRef(f.Personality)
	}
}

func (pr *Printer) sig(id SigID) *Printer {
	if id == 0 || int(id) >= len(pr.p.Sigs) {
		return pr.uint(uint64(id))
	}
	return pr.quote(pr.p.Sigs[id])
}

func (pr *Printer) scope(id ScopeID, s *Scope) {
	pr.str("  scope s").uint(uint64(id))
	if s.Parent != 0 {
		pr.str(" in s").uint(uint64(s.Parent))
	}
	pr.str(" at f").uint(uint64(s.File)).str(":").uint(uint64(s.Line)).str(":").uint(uint64(s.Col))
	if s.Func != "" {
		pr.str(" ").quote(s.Func)
	}
	pr.str("\n")
}

func (pr *Printer) variable(id VarID, v *Var) {
	pr.str("  var #").uint(uint64(id)).str(" ").quote(v.Name).str(" ").quote(v.Type)
	if v.Scope != 0 {
		pr.str(" s").uint(uint64(v.Scope))
	}
	pr.attr("line", uint64(v.Line))
	pr.attr("arg", uint64(v.Arg))
	pr.word(v.Artificial, "artificial").str("\n")
}

func (pr *Printer) varRef(f *Func, v VarID) *Printer {
	if int(v) < len(f.Vars) && isWord(f.Vars[v].Name) {
		pr.str(f.Vars[v].Name)
	}
	return pr.str("#").uint(uint64(v))
}

func (pr *Printer) blockRef(b BlockID) *Printer { return pr.str("b").uint(uint64(b)) }

func (pr *Printer) block(id FuncID, f *Func, b BlockID) {
	pr.blockRef(b).str(":")
	if preds := f.PredsOf(b); len(preds) > 1 {
		pr.str(" <- ").blockRefs(preds)
	}
	pr.str("\n")
	blk := &f.Blocks[b]
	for v := blk.First; v < blk.End; v++ {
		start := len(pr.buf)
		pr.str("  ").inst(f, v)
		if loc := f.Values[v].Loc; loc != 0 {
			pad := 50 - (len(pr.buf) - start)
			pr.str(strings.Repeat(" ", max(pad, 1))).str("; ").loc(f, loc)
		}
		if pr.Note != nil {
			if note := pr.Note(id, v); note != "" {
				pr.str("  // ").str(note)
			}
		}
		pr.buf = append(bytes.TrimRight(pr.buf, " "), '\n')
	}
}

func (pr *Printer) blockRefs(bs []BlockID) {
	for i, b := range bs {
		if i > 0 {
			pr.str(", ")
		}
		pr.blockRef(b)
	}
}

func (pr *Printer) loc(f *Func, id LocID) {
	for n := 0; id != 0; n++ {
		if int(id) >= len(f.Locs) || n > len(f.Locs) {
			pr.str("?")
			return
		}
		if n > 0 {
			pr.str(" in ")
		}
		l := &f.Locs[id]
		file := f.File
		if l.Scope != 0 && int(l.Scope) < len(f.Scopes) {
			file = f.Scopes[l.Scope].File
		}
		if file != 0 {
			pr.fileName(file).str(":")
		}
		pr.uint(uint64(l.Line)).str(":").uint(uint64(l.Col))
		if l.Scope != 0 {
			pr.str(" s").uint(uint64(l.Scope))
		}
		id = l.Inlined
	}
}

// operand writes a use of v.
func (pr *Printer) operand(f *Func, v ValueID) *Printer {
	if int(v) >= len(f.Values) || !f.Values[v].Op.IsConst() {
		return pr.str("%").uint(uint64(v))
	}
	x := &f.Values[v]
	switch x.Op {
	case OpConstInt:
		pr.typ(x.Type).str(" ")
		if x.Sub != 0 {
			pr.str("~")
		}
		return pr.int(at(f.Ints, x.Aux))
	case OpConstFloat:
		return pr.typ(x.Type).str(" ").hex(uint64(at(f.Ints, x.Aux)))
	case OpUndef:
		return pr.typ(x.Type).str(" undef")
	case OpConstData:
		return pr.typ(x.Type).str(" data ").quote(at(f.Strs, x.Aux))
	}
	if x.Type.Kind() != Ptr {
		pr.typ(x.Type).str(" ")
	}
	switch x.Op {
	case OpConstNull:
		return pr.str("null")
	case OpFuncAddr:
		return pr.funcRef(FuncID(x.Aux))
	case OpGlobalAddr:
		return pr.globalRef(GlobalID(x.Aux))
	case OpBlockAddr:
		return pr.str("label ").blockRef(BlockID(x.Aux))
	}
	return pr.str("asm ").quote(at(f.Strs, x.Aux))
}

// at indexes without regard for bad ids: broken programs must print.
func at[T any](s []T, i uint32) T {
	if int(i) < len(s) {
		return s[i]
	}
	var zero T
	return zero
}

func (pr *Printer) operands(f *Func, vs []ValueID) {
	for i, v := range vs {
		if i > 0 {
			pr.str(", ")
		}
		pr.operand(f, v)
	}
}
