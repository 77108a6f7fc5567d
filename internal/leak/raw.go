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

// contentOfNew returns what is in what call v makes, whose callee has this summary.
func (fn *function) contentOfNew(v ir.ValueID, sum *summary) content {
	if c := fn.f.Callee(v); c != 0 {
		return fn.makesWith(c, 0)
	}
	if sum.inferred {
		return built
	}
	return garbage
}

// makesWith returns what is in what a function returns that is new: what the function
// that it calls for it leaves there, if it puts nothing there itself. When in doubt,
// it is built.
func (fn *function) makesWith(id ir.FuncID, depth int) content {
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
			is = fn.makesWith(c, depth+1)
		}
		clears, puts := putsInto(f, m)
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

// madeBy lists what function f returns, null aside.
func (fn *function) madeBy(f *ir.Func) []ir.ValueID {
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
		switch f.Values[v].Op {
		case ir.OpPhi, ir.OpBitcast, ir.OpFreeze, ir.OpGep:
			work = append(work, f.ArgsOf(v)...)
		case ir.OpSelect:
			work = append(work, f.ArgsOf(v)[1:]...)
		case ir.OpConstNull, ir.OpUndef, ir.OpConstInt:
		case ir.OpCall, ir.OpInvoke:
			if i := fn.returnsArg(f.Callee(v)); i >= 0 && 1+i < len(f.ArgsOf(v)) {
				work = append(work, f.ArgsOf(v)[1+i])
				continue
			}
			out = append(out, v)
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

// putsInto reports whether function f clears what v points to, and whether it may put
// something else there, or have it put.
func putsInto(f *ir.Func, v ir.ValueID) (clears, puts bool) {
	names := map[ir.ValueID]bool{v: true}
	for round := true; round; {
		round = false
		for u := f.Blocks[1].First; int(u) < len(f.Values); u++ {
			switch f.Values[u].Op {
			case ir.OpGep, ir.OpPhi, ir.OpSelect, ir.OpBitcast, ir.OpFreeze:
				if !names[u] && slices.ContainsFunc(f.ArgsOf(u), func(a ir.ValueID) bool { return names[a] }) {
					names[u], round = true, true
				}
			}
		}
	}
	for u := f.Blocks[1].First; int(u) < len(f.Values); u++ {
		for k, a := range f.ArgsOf(u) {
			if !names[a] {
				continue
			}
			switch op := f.Values[u].Op; {
			case op == ir.OpMemset:
				n, ok := f.ConstInt(f.ArgsOf(u)[1])
				clears, puts = clears || ok && n == 0, puts || !ok || n != 0
			case op == ir.OpStore, op == ir.OpMemcpy && k == 0, op.IsCall() && k > 0:
				puts = true
			}
		}
	}
	return clears, puts
}
