// This file says where what a node stands for comes from.

package callgraph

import "github.com/plumb-project/plumb/internal/ir"

// expand adds the edges into a new node.
func (fl *flow) expand(n nodeID) {
	k := fl.nodes[n].key
	switch k.kind {
	case aValue:
		fl.fromValue(n, ir.FuncID(k.a), ir.ValueID(k.b))
	case aResult:
		fl.returned(ir.FuncID(k.a), func(v ir.ValueID) { fl.edge(fl.value(ir.FuncID(k.a), v), n) })
	case aField:
		x := fl.field(ir.Step{Struct: ir.StructID(k.a), Field: k.b})
		fl.include(n, x.funcs, 0)
		for _, s := range x.stores {
			fl.edge(fl.stored(s), n)
		}
	case aGlobal:
		fl.fromGlobal(n, ir.GlobalID(k.a), k.off)
	case aMemory:
		fl.fromMemory(n, ir.FuncID(k.a), ir.ValueID(k.b), k.off)
	case aWritten:
		fl.uses(n, ir.FuncID(k.a), ir.ValueID(k.b), k.off)
	case behindField:
		fl.fromBehind(n, place{step: ir.Step{Struct: ir.StructID(k.a), Field: k.b}}, k.off)
	case behindGlobal:
		fl.fromBehind(n, place{global: ir.GlobalID(k.a)}, k.off)
	}
}

// returned calls each for what f can return.
func (fl *flow) returned(id ir.FuncID, each func(ir.ValueID)) {
	f := &fl.p.Funcs[id]
	for b := 1; b < len(f.Blocks); b++ {
		if t := f.Terminator(ir.BlockID(b)); f.Values[t].Op == ir.OpRet {
			for _, v := range f.ArgsOf(t) {
				each(v)
			}
		}
	}
}

// stored is the node of the value that a store stores.
func (fl *flow) stored(s use) nodeID { return fl.value(s.fn, fl.p.Funcs[s.fn].ArgsOf(s.at)[0]) }

func (fl *flow) fromValue(n nodeID, id ir.FuncID, v ir.ValueID) {
	f := &fl.p.Funcs[id]
	args := f.ArgsOf(v)
	switch x := &f.Values[v]; x.Op {
	case ir.OpFuncAddr:
		fl.include(n, []ir.FuncID{ir.FuncID(x.Aux)}, 0)
	case ir.OpConstNull, ir.OpUndef:
	case ir.OpSelect:
		fl.edge(fl.value(id, args[1]), n)
		fl.edge(fl.value(id, args[2]), n)
	case ir.OpPhi, ir.OpFreeze, ir.OpBitcast:
		for _, a := range args {
			fl.edge(fl.value(id, a), n)
		}
	case ir.OpParam:
		fl.include(n, nil, fl.fromElsewhere(id))
		fl.callersOf(id, func(c use) {
			if a, ok := fl.argument(c, int(x.Aux)); ok {
				fl.edge(fl.value(c.fn, a), n)
			}
		})
	case ir.OpLoad:
		fl.edge(fl.content(id, args[0], 0), n)
	case ir.OpCall, ir.OpInvoke:
		fl.targetsOf(use{id, v}, func(t ir.FuncID) {
			if fl.p.Funcs[t].IsDecl() {
				fl.include(n, nil, outside)
			} else {
				fl.edge(fl.node(key{kind: aResult, a: uint32(t)}), n)
			}
		})
	default:
		fl.include(n, nil, outside)
	}
}

// fromElsewhere says whether others than the calls we see may call f.
func (fl *flow) fromElsewhere(f ir.FuncID) doubt {
	if fl.alien[f] || !fl.whole && fl.p.Funcs[f].Linkage != ir.Internal {
		return outside
	}
	return 0
}

// argument returns argument i of a call.
func (fl *flow) argument(c use, i int) (ir.ValueID, bool) {
	args := fl.p.Funcs[c.fn].ArgsOf(c.at)
	if i+1 >= len(args) {
		return 0, false
	}
	return args[i+1], true
}

func (fl *flow) fromGlobal(n nodeID, g ir.GlobalID, off int64) {
	x := &fl.p.Globals[g]
	if x.Decl {
		fl.include(n, nil, outside)
	}
	for i := range x.Init {
		if c := &x.Init[i]; c.Kind == ir.CellFunc && c.Int == 0 && meets(int64(c.Off), off) {
			fl.include(n, []ir.FuncID{c.Func}, 0)
		}
	}
	for _, u := range fl.globals[g] {
		fl.fromUse(n, u, func(f *ir.Func, base ir.ValueID) bool {
			return f.Values[base].Op == ir.OpGlobalAddr && f.Values[base].Aux == uint32(g)
		}, off)
	}
}

// fromUse adds what an instruction puts off bytes into memory.
func (fl *flow) fromUse(n nodeID, u use, is func(f *ir.Func, base ir.ValueID) bool, off int64) {
	f := &fl.p.Funcs[u.fn]
	args := f.ArgsOf(u.at)
	within := func(v ir.ValueID) (int64, bool) {
		a := fl.address(f, v)
		return a.off, a.step.Struct == 0 && is(f, a.base)
	}
	switch x := &f.Values[u.at]; {
	case x.Op == ir.OpStore:
		if at, ok := within(args[1]); ok && meets(at, off) && f.Values[args[0]].Type.Kind() == ir.Ptr {
			fl.edge(fl.stored(u), n)
		}
	case x.Op == ir.OpMemcpy:
		if at, ok := within(args[0]); ok {
			fl.edge(fl.content(u.fn, args[1], minus(off, at)), n)
		}
	case x.Op.IsCall():
		for i, a := range args[1:] {
			at, ok := within(a)
			if !ok || f.Values[a].Type.Kind() != ir.Ptr {
				continue
			}
			fl.targetsOf(u, func(t ir.FuncID) {
				callee := &fl.p.Funcs[t]
				switch {
				case !callee.IsDecl() && i < int(callee.NParams):
					fl.edge(fl.node(key{kind: aWritten, a: uint32(t), b: uint32(i + 1), off: minus(off, at)}), n)
				case callee.Flags&(ir.Intrinsic|ir.ReadOnly|ir.ReadNone) == 0 && (i >= len(callee.Params) || callee.Params[i]&ir.ParamReadOnly == 0):
					fl.include(n, nil, outside)
				}
			})
		}
	}
}

func minus(a, b int64) int64 {
	if b == anywhere {
		return anywhere
	}
	return plus(a, -b)
}

// uses adds what function id itself puts off bytes into what base points to.
func (fl *flow) uses(n nodeID, id ir.FuncID, base ir.ValueID, off int64) {
	f := &fl.p.Funcs[id]
	if fl.budget -= len(f.Values); fl.budget < 0 {
		fl.include(n, nil, untracked)
		return
	}
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		if op := f.Values[v].Op; op == ir.OpStore || op == ir.OpMemcpy || op.IsCall() {
			fl.fromUse(n, use{id, v}, func(_ *ir.Func, b ir.ValueID) bool { return b == base }, off)
		}
	}
}

func (fl *flow) fromMemory(n nodeID, id ir.FuncID, base ir.ValueID, off int64) {
	f := &fl.p.Funcs[id]
	args := f.ArgsOf(base)
	switch x := &f.Values[base]; x.Op {
	case ir.OpAlloca:
		fl.uses(n, id, base, off)
	case ir.OpParam:
		fl.uses(n, id, base, off)
		fl.include(n, nil, fl.fromElsewhere(id))
		fl.callersOf(id, func(c use) {
			if a, ok := fl.argument(c, int(x.Aux)); ok {
				fl.edge(fl.content(c.fn, a, off), n)
			}
		})
	case ir.OpSelect:
		fl.edge(fl.content(id, args[1], off), n)
		fl.edge(fl.content(id, args[2], off), n)
	case ir.OpPhi: // it may move along
		for _, a := range args {
			fl.edge(fl.content(id, a, anywhere), n)
		}
	case ir.OpLoad:
		fl.fromLoaded(n, f, args[0], off)
	case ir.OpCall, ir.OpInvoke:
		fl.uses(n, id, base, off)
		fl.targetsOf(use{id, base}, func(t ir.FuncID) {
			fl.returned(t, func(v ir.ValueID) { fl.edge(fl.content(t, v, off), n) })
		})
	case ir.OpConstNull, ir.OpUndef:
	default:
		fl.include(n, nil, untracked)
	}
}

// fromLoaded is fromMemory for a pointer that was loaded from addr.
func (fl *flow) fromLoaded(n nodeID, f *ir.Func, addr ir.ValueID, off int64) {
	p, ok := fl.placeOf(f, addr)
	switch {
	case !ok:
		fl.include(n, nil, untracked)
	case p.step.Struct != 0:
		fl.edge(fl.node(key{kind: behindField, a: uint32(p.step.Struct), b: p.step.Field, off: off}), n)
	default:
		fl.edge(fl.node(key{kind: behindGlobal, a: uint32(p.global), off: off}), n)
	}
}

// fromBehind adds what is off bytes into what the pointers in a place point to.
func (fl *flow) fromBehind(n nodeID, p place, off int64) {
	for _, u := range fl.behind[p] {
		f := &fl.p.Funcs[u.fn]
		if meets(fl.address(f, f.ArgsOf(u.at)[1]).off, off) {
			fl.edge(fl.stored(u), n)
		}
	}
	held := func(u use) { fl.edge(fl.content(u.fn, fl.p.Funcs[u.fn].ArgsOf(u.at)[0], off), n) }
	points := func(x pointee) {
		fl.edge(fl.node(key{kind: aGlobal, a: uint32(x.global), off: plus(x.off, off)}), n)
	}
	if p.step.Struct != 0 {
		x := fl.field(p.step)
		for _, u := range x.stores {
			held(u)
		}
		for _, x := range x.points {
			points(x)
		}
		return
	}
	for i := range fl.p.Globals[p.global].Init {
		if c := &fl.p.Globals[p.global].Init[i]; c.Kind == ir.CellGlobal {
			points(pointee{c.Global, c.Int})
		}
	}
	for _, u := range fl.globals[p.global] {
		if fl.p.Funcs[u.fn].Values[u.at].Op == ir.OpStore {
			held(u)
		}
	}
}
