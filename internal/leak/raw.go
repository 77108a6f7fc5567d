// This file says what is in new memory before anything is put there.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// A content is what is in new memory.
type content uint8

const (
	garbage content = iota + 1
	zeros
	built // what the function that makes it puts there
)

// contentOfNew returns what is off bytes into what call v makes, whose callee has this
// summary.
func (fn *function) contentOfNew(v ir.ValueID, sum *summary, off int64) content {
	if c := fn.f.Callee(v); c != 0 {
		return fn.makesWith(c, off, 0)
	}
	if sum.inferred {
		return built
	}
	return garbage
}

// makesWith returns what is off bytes into what a function returns that is new: what the
// function that it calls for it leaves there, if it puts nothing there itself. When in
// doubt, it is built.
func (fn *function) makesWith(id ir.FuncID, off int64, depth int) content {
	f, sum := &fn.p.Funcs[id], fn.sums[id]
	switch {
	case sum == nil || depth > 6:
		return built
	case f.IsDecl() && sum.zeroed:
		return zeros
	case f.IsDecl():
		return garbage
	}
	makers := fn.madeBy(f)
	if len(makers) == 0 {
		return built
	}
	all := content(0)
	for _, m := range makers {
		is := built
		if c := f.Callee(m); c != 0 && fn.sums[c] != nil && fn.sums[c].fresh {
			is = fn.makesWith(c, off, depth+1)
		}
		clears, puts := putsInto(f, m, off)
		if clears {
			is = zeros
		}
		switch {
		case is == built || puts && !sizeIsGiven(f, m):
			return built
		case all != 0 && all != is:
			return garbage
		}
		all = is
	}
	return all
}

// madeBy lists what function f returns, null aside, whatever the offset.
func (fn *function) madeBy(f *ir.Func) []ir.ValueID {
	var out []ir.ValueID
	for _, v := range fn.results(f, true) {
		if op := f.Values[v].Op; op != ir.OpConstNull && op != ir.OpUndef && op != ir.OpConstInt {
			out = append(out, v)
		}
	}
	return out
}

// results lists what function f may return. Functions that return what they are given
// are looked through, and so is address arithmetic if that is asked for.
func (fn *function) results(f *ir.Func, geps bool) []ir.ValueID {
	var out, seen, work []ir.ValueID
	for b := ir.BlockID(1); int(b) < len(f.Blocks); b++ {
		if t := f.Terminator(b); f.Values[t].Op == ir.OpRet {
			work = append(work, f.ArgsOf(t)...)
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if slices.Contains(seen, v) {
			continue
		}
		seen = append(seen, v)
		switch op := f.Values[v].Op; {
		case op == ir.OpPhi, op == ir.OpBitcast, op == ir.OpFreeze:
			work = append(work, f.ArgsOf(v)...)
		case op == ir.OpGep && geps:
			work = append(work, f.ArgsOf(v)[0])
		case op == ir.OpSelect:
			work = append(work, f.ArgsOf(v)[1:]...)
		case op.IsCall() && fn.returnsArg(f.Callee(v)) >= 0:
			work = append(work, f.ArgsOf(v)[1+fn.returnsArg(f.Callee(v))])
		default:
			out = append(out, v)
		}
	}
	return out
}

// returnsArg returns which argument function id always returns, or -1.
func (fn *function) returnsArg(id ir.FuncID) int {
	if id == 0 || fn.sums[id] == nil || fn.sums[id].fresh {
		return -1
	}
	return slices.IndexFunc(fn.sums[id].params, func(list []outcome) bool {
		return len(list) == 1 && list[0].effect == returns && list[0].guards == nil
	})
}

// sameAs returns the argument that call v returns as it is, and not a pointer into what it
// points to; 0 when there is none.
func (fn *function) sameAs(v ir.ValueID) ir.ValueID {
	id := fn.f.Callee(v)
	i := fn.returnsArg(id)
	if i < 0 || fn.p.Funcs[id].IsDecl() || 1+i >= len(fn.f.ArgsOf(v)) {
		return 0
	}
	f := &fn.p.Funcs[id]
	for _, r := range fn.results(f, false) {
		if op := f.Values[r].Op; op != ir.OpConstNull && (op != ir.OpParam || f.Values[r].Aux != uint32(i)) {
			return 0
		}
	}
	return fn.f.ArgsOf(v)[1+i]
}

// sizeIsGiven reports whether the caller of f says how large what call v makes is: f
// knows nothing of what will be there, whatever it notes beside it.
func sizeIsGiven(f *ir.Func, v ir.ValueID) bool {
	for work := slices.Clone(f.ArgsOf(v)[1:]); len(work) > 0; {
		a := work[len(work)-1]
		work = work[:len(work)-1]
		switch op := f.Values[a].Op; {
		case op == ir.OpParam && f.Values[a].Type.Kind() == ir.Int:
			return true
		case isPure(op) && op != ir.OpPhi:
			work = append(work, f.ArgsOf(a)...)
		}
	}
	return false
}

// putsInto reports whether function f clears what is off bytes into what v points to,
// and whether it may put something else there, or have it put.
func putsInto(f *ir.Func, v ir.ValueID, off int64) (clears, puts bool) {
	at := map[ir.ValueID]int64{v: 0} // pointers into it, with the offset if that is one
	for round := true; round; {
		round = false
		for u := f.Blocks[1].First; int(u) < len(f.Values); u++ {
			here, ok := pointsAt(f, u, at)
			if was, known := at[u]; ok && (!known || was != here && was != anywhere) {
				if known {
					here = anywhere
				}
				at[u], round = here, true
			}
		}
	}
	for u := f.Blocks[1].First; int(u) < len(f.Values); u++ {
		args := f.ArgsOf(u)
		for k, a := range args {
			here, ok := at[a]
			if !ok {
				continue
			}
			switch op := f.Values[u].Op; {
			case op == ir.OpMemset:
				n, ok := f.ConstInt(args[1])
				clears, puts = clears || ok && n == 0, puts || !ok || n != 0
			case op == ir.OpStore && k == 1:
				puts = puts || here == anywhere || here < off+8 && off < here+int64(f.Values[args[0]].Type.Bytes())
			case op == ir.OpStore && f.Values[args[1]].Op != ir.OpAlloca, op == ir.OpMemcpy && k == 0, op.IsCall() && k > 0:
				puts = true
			}
		}
	}
	return clears, puts
}

// pointsAt returns where u points to, if it is made of one of these pointers.
func pointsAt(f *ir.Func, u ir.ValueID, at map[ir.ValueID]int64) (off int64, ok bool) {
	args := f.ArgsOf(u)
	switch x := &f.Values[u]; x.Op {
	case ir.OpGep:
		if off, ok = at[args[0]]; ok && off != anywhere {
			off += f.Geps[x.Aux].Off
			if f.Geps[x.Aux].NStride > 0 {
				off = anywhere
			}
		}
		return off, ok
	case ir.OpBitcast, ir.OpFreeze:
		off, ok = at[args[0]]
		return off, ok
	case ir.OpPhi, ir.OpSelect:
		for _, a := range args {
			if here, known := at[a]; known {
				if ok && here != off {
					return anywhere, true
				}
				off, ok = here, true
			}
		}
	}
	return off, ok
}
