// This file spells values as the source does.

package prove

import (
	"fmt"
	"strings"

	"github.com/plumb-project/plumb/internal/ir"
)

// spell spells a value; "" if the source has no words for it.
//
//	len
//	cfg->name
//	strlen(s)
func (m *machine) spell(f *ir.Func, v ir.ValueID) string { return m.expr(f, v, 0) }

// expr spells an operand.
func (m *machine) expr(f *ir.Func, v ir.ValueID, depth int) string {
	x := &f.Values[v]
	if depth > 5 {
		return ""
	}
	if x.Var != 0 && x.Op != ir.OpLoad {
		return f.Vars[x.Var].Name
	}
	args := f.ArgsOf(v)
	switch x.Op {
	case ir.OpConstNull:
		return "NULL"
	case ir.OpConstInt:
		return fmt.Sprint(f.Ints[x.Aux])
	case ir.OpGlobalAddr:
		return "&" + m.p.Globals[x.Aux].SourceName()
	case ir.OpFuncAddr:
		return m.p.Funcs[x.Aux].SourceName()
	case ir.OpLoad:
		return m.memory(f, args[0], depth+1)
	case ir.OpSExt, ir.OpZExt, ir.OpTrunc, ir.OpPtrToInt, ir.OpIntToPtr, ir.OpBitcast, ir.OpFreeze:
		if x.Op == ir.OpZExt && f.Values[args[0]].Op == ir.OpICmp {
			return m.condition(f, args[0], true, depth+1)
		}
		return m.expr(f, args[0], depth+1)
	case ir.OpCall, ir.OpInvoke:
		return m.callText(f, v, depth+1)
	case ir.OpAdd, ir.OpSub, ir.OpMul, ir.OpAnd, ir.OpOr, ir.OpXor, ir.OpSDiv, ir.OpUDiv, ir.OpSRem, ir.OpURem, ir.OpShl, ir.OpLShr, ir.OpAShr:
		a, b := m.expr(f, args[0], depth+1), m.expr(f, args[1], depth+1)
		op := arithmetic[x.Op]
		if n, ok := f.ConstInt(args[1]); ok && n < 0 && x.Op == ir.OpAdd {
			op, b = "-", fmt.Sprint(-n)
		}
		if a != "" && b != "" {
			return a + " " + op + " " + b
		}
	case ir.OpGep:
		if s := m.memory(f, v, depth+1); s != "" {
			return "&" + s
		}
	}
	return ""
}

var arithmetic = map[ir.Op]string{
	ir.OpAdd: "+", ir.OpSub: "-", ir.OpMul: "*", ir.OpAnd: "&", ir.OpOr: "|", ir.OpXor: "^", ir.OpSDiv: "/", ir.OpUDiv: "/",
	ir.OpSRem: "%", ir.OpURem: "%", ir.OpShl: "<<", ir.OpLShr: ">>", ir.OpAShr: ">>",
}

// memory spells what is at an address.
func (m *machine) memory(f *ir.Func, addr ir.ValueID, depth int) string {
	x := &f.Values[addr]
	if depth > 5 {
		return ""
	}
	switch {
	case x.Op == ir.OpGlobalAddr:
		return m.p.Globals[x.Aux].SourceName()
	case x.Op == ir.OpAlloca && x.Var != 0:
		return f.Vars[x.Var].Name
	case x.Op != ir.OpGep:
		if s := m.expr(f, addr, depth); s != "" && !strings.ContainsAny(s, " ") {
			return "*" + s
		}
		return ""
	}
	g := &f.Geps[x.Aux]
	args := f.ArgsOf(addr)
	base := &f.Values[args[0]]
	var name, sep string
	switch base.Op {
	case ir.OpAlloca, ir.OpGlobalAddr:
		name, sep = m.memory(f, args[0], depth+1), "."
	case ir.OpGep:
		name, sep = m.memory(f, args[0], depth+1), "."
	default:
		name, sep = m.expr(f, args[0], depth+1), "->"
	}
	if name == "" || strings.ContainsAny(name, " &") {
		return ""
	}
	if g.NStride == 1 {
		idx := m.expr(f, args[1], depth+1)
		if idx == "" {
			return ""
		}
		name, sep = name+"["+idx+"]", "."
	} else if g.NStride > 1 {
		return ""
	}
	for _, st := range f.Steps[g.Step : g.Step+g.NStep] {
		field := m.p.Structs[st.Struct].Fields[st.Field].Name
		if field == "" {
			return ""
		}
		name += sep + field
		sep = "."
	}
	if g.NStep == 0 && g.NStride == 0 {
		if g.Off != 0 || sep != "->" {
			return ""
		}
		return "*" + name
	}
	return name
}

// callText spells a call.
func (m *machine) callText(f *ir.Func, v ir.ValueID, depth int) string {
	args := f.ArgsOf(v)
	name := m.expr(f, args[0], depth)
	if name == "" {
		return ""
	}
	var words []string
	for _, a := range args[1:] {
		w := m.expr(f, a, depth+1)
		if w == "" {
			return name + "(...)"
		}
		words = append(words, w)
	}
	if len(words) > 3 {
		return name + "(...)"
	}
	return name + "(" + strings.Join(words, ", ") + ")"
}

var comparisons = map[ir.Pred]string{
	ir.EQ: "==", ir.NE: "!=", ir.UGT: ">", ir.UGE: ">=", ir.ULT: "<", ir.ULE: "<=", ir.SGT: ">", ir.SGE: ">=", ir.SLT: "<", ir.SLE: "<=",
}

// condition spells a truth value; "" if there are no words for it. When it is not
// to be true, a wrapper such as x != 0 is taken off and turned round.
//
//	len > 16
//	!ready
func (m *machine) condition(f *ir.Func, v ir.ValueID, truth bool, depth int) string {
	x := &f.Values[v]
	args := f.ArgsOf(v)
	if depth > 5 {
		return ""
	}
	switch x.Op {
	case ir.OpXor:
		if n, ok := f.ConstInt(args[1]); ok && n != 0 && x.Type.Size() == 1 {
			return m.condition(f, args[0], !truth, depth+1)
		}
	case ir.OpTrunc, ir.OpFreeze:
		return m.condition(f, args[0], truth, depth+1)
	case ir.OpICmp:
		p := ir.Pred(x.Sub)
		a, b := args[0], args[1]
		n, constant := f.ConstInt(b)
		if op := f.Values[a].Op; constant && n == 0 && (op == ir.OpZExt || op == ir.OpSExt) && f.Values[a].Var == 0 && (p == ir.EQ || p == ir.NE) &&
			(f.Values[f.ArgsOf(a)[0]].Op == ir.OpICmp || f.Values[f.ArgsOf(a)[0]].Op == ir.OpXor) {
			return m.condition(f, f.ArgsOf(a)[0], truth == (p == ir.NE), depth+1)
		}
		l, r := m.expr(f, a, depth+1), m.expr(f, b, depth+1)
		if l == "" || r == "" {
			return ""
		}
		text := l + " " + comparisons[p] + " " + r
		if !truth {
			return "!(" + text + ")"
		}
		return text
	}
	s := m.expr(f, v, depth+1)
	if s != "" && !truth {
		return "!" + s
	}
	return s
}
