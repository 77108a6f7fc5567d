// This file writes instructions as text.

package ir

// inst writes instruction v: its result, operation, operands and successors.
func (pr *Printer) inst(f *Func, v ValueID) {
	x := &f.Values[v]
	if x.Op == OpInvalid || x.Op >= NumOps {
		pr.str("?op")
		return
	}
	hasVar := x.Var != 0 && x.Op != OpSet
	if x.Type.Kind() != Void {
		pr.str("%").uint(uint64(v)).str(": ").typ(x.Type)
		if hasVar {
			pr.str(" ").varRef(f, x.Var)
		}
		pr.str(" = ")
	}
	if x.Op == OpMemcpy && x.Sub == 1 {
		pr.str("memmove")
	} else {
		pr.str(x.Op.String())
	}
	switch {
	case x.Op.IsCall():
		pr.call(f, v)
	case x.Op == OpGep:
		pr.gep(f, v)
	case x.Op == OpPhi:
		pr.phi(f, v)
	case x.Op == OpSwitch:
		pr.switchInst(f, v)
	default:
		pr.plain(f, v)
	}
	if hasVar && x.Type.Kind() == Void {
		pr.str(" var=").varRef(f, x.Var)
	}
}

// plain writes what follows the operation of most instructions: flags or
// predicate, operands, successors, immediates.
func (pr *Printer) plain(f *Func, v ValueID) {
	x := &f.Values[v]
	pr.sub(x)
	switch x.Op {
	case OpSet:
		pr.str(" ").varRef(f, x.Var).str(" =")
	case OpAlloca:
		pr.str(" ").int(at(f.Ints, x.Aux))
		pr.structRef(StructID(at(f.Ints, x.Aux+1)))
		if x.NArgs > 0 {
			pr.str(",")
		}
	}
	args, succs := f.ArgsOf(v), f.succs(v)
	if len(args) > 0 {
		pr.str(" ").operands(f, args)
	}
	if len(succs) > 0 {
		if len(args) > 0 {
			pr.str(",")
		}
		pr.str(" ").blockRefs(succs)
	}
	switch x.Op {
	case OpExtractValue, OpInsertValue:
		pr.str(" at ").int(at(f.Ints, x.Aux))
	case OpAlloca:
	default:
		pr.attr("aux", uint64(x.Aux))
	}
}

// sub writes the predicate or the flags.
func (pr *Printer) sub(x *Value) {
	switch x.Op {
	case OpICmp:
		if x.Sub > 0 && int(x.Sub) < len(predNames) {
			pr.str(" ").str(Pred(x.Sub).String())
			return
		}
	case OpFCmp:
		if int(x.Sub) < len(fcmpNames) {
			pr.str(" ").str(fcmpNames[x.Sub])
			return
		}
	case OpMemcpy:
		if x.Sub == 1 {
			return
		}
	}
	if names := x.Op.flagNames(); names != nil {
		pr.flags(uint64(x.Sub), names)
		return
	}
	pr.attr("sub", uint64(x.Sub))
}

func (pr *Printer) call(f *Func, v ValueID) {
	x := &f.Values[v]
	args := f.ArgsOf(v)
	if len(args) == 0 {
		pr.str(" ?callee")
		return
	}
	pr.str(" ").operand(f, args[0]).str("(")
	pr.operands(f, args[1:])
	pr.str(")")
	pr.flags(uint64(x.Sub), callFlagNames)
	if SigID(x.Aux) != pr.p.impliedSig(f, v) {
		pr.str(" sig=").sig(SigID(x.Aux))
	}
	if succs := f.succs(v); len(succs) > 0 {
		pr.str(" to ").blockRef(succs[0])
		if x.Op == OpInvoke && len(succs) == 2 {
			pr.str(" unwind ").blockRef(succs[1])
		} else if len(succs) > 1 {
			pr.str(", ").blockRefs(succs[1:])
		}
	}
}

// impliedSig returns the signature a call has when none is written: that of the
// function it names.
func (p *Program) impliedSig(f *Func, v ValueID) SigID {
	if c := f.Callee(v); c != 0 && int(c) < len(p.Funcs) {
		return p.Funcs[c].Sig
	}
	return 0
}

func (pr *Printer) gep(f *Func, v ValueID) {
	args := f.ArgsOf(v)
	g := at(f.Geps, f.Values[v].Aux)
	if len(args) == 0 {
		pr.str(" ?base")
		return
	}
	pr.str(" ").operand(f, args[0]).offset(g.Off)
	for i, a := range args[1:] {
		pr.str(" + ").operand(f, a).str("*").int(at(f.Strides, g.Stride+uint32(i)))
	}
	if g.NStep == 0 {
		return
	}
	pr.str(" {")
	for i := range g.NStep {
		if i > 0 {
			pr.str(", ")
		}
		s := at(f.Steps, g.Step+i)
		pr.name(pr.p.FieldName(s)).str(" $").uint(uint64(s.Struct)).str(".").uint(uint64(s.Field))
	}
	pr.str("}")
}

// FieldName returns a field as people write it.
//
//	cfg.name
func (p *Program) FieldName(s Step) string {
	if int(s.Struct) >= len(p.Structs) {
		return "?"
	}
	st := &p.Structs[s.Struct]
	if int(s.Field) >= len(st.Fields) {
		return st.Name + ".?"
	}
	return st.Name + "." + st.Fields[s.Field].Name
}

func (pr *Printer) phi(f *Func, v ValueID) {
	var preds []BlockID
	if b := f.BlockOf(v); b != 0 {
		preds = f.PredsOf(b)
	}
	pr.str(" [")
	for i, a := range f.ArgsOf(v) {
		if i > 0 {
			pr.str(", ")
		}
		pr.blockRef(at(preds, uint32(i))).str(": ").operand(f, a)
	}
	pr.str("]")
}

func (pr *Printer) switchInst(f *Func, v ValueID) {
	args, succs := f.ArgsOf(v), f.succs(v)
	if len(args) == 0 || len(succs) != len(args) {
		pr.str(" ?cases")
		return
	}
	pr.str(" ").operand(f, args[0]).str(" [")
	for i, a := range args[1:] {
		if i > 0 {
			pr.str(", ")
		}
		pr.operand(f, a).str(": ").blockRef(succs[i+1])
	}
	pr.str("] else ").blockRef(succs[0])
}
