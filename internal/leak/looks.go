// This file finds what a function surely reads or writes, and what it leaves
// alone.

package leak

import "github.com/plumb-project/plumb/internal/ir"

// looksAt reports whether what argument i points to is read or written whenever
// the function returns.
func (s *summary) looksAt(i int) bool { return i < len(s.looks) && s.looks[i] }

// looksAt finds, for each parameter, whether what it points to is read or written
// on every path to a return. It takes the parameter not to be null.
func (fn *function) looksAt() []bool {
	f := fn.f
	out := make([]bool, f.NParams)
	for i := range out {
		if v := ir.ValueID(i + 1); f.Values[v].Type.Kind() == ir.Ptr || fn.numbers && isHandle(f.Values[v].Type, true) {
			out[i] = fn.alwaysLooks(v)
		}
	}
	return out
}

func (fn *function) alwaysLooks(param ir.ValueID) bool {
	f := fn.f
	at := make(bits, len(f.Blocks)/64+1)
	if !fn.addLooks(at, param, 0) {
		return false
	}
	seen := make(bits, len(f.Blocks)/64+1)
	seen.add(1)
	for work := []uint32{1}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if at.has(b) || fn.doomed[b] {
			continue
		}
		t := f.Terminator(ir.BlockID(b))
		if op := f.Values[t].Op; op == ir.OpRet || op == ir.OpResume {
			return false
		}
		null := fn.nullSide(t, param)
		for i, s := range f.SuccsOf(ir.BlockID(b)) {
			if i != null && !seen.has(uint32(s)) {
				seen.add(uint32(s))
				work = append(work, uint32(s))
			}
		}
	}
	return true
}

// addLooks adds the blocks in which what v points to is read or written. It
// reports whether there are any.
func (fn *function) addLooks(at bits, v ir.ValueID, depth int) bool {
	f := fn.f
	found := false
	for _, u := range fn.uses.Succs(uint32(v)) {
		u := ir.ValueID(u)
		args := f.ArgsOf(u)
		looks := false
		switch op := f.Values[u].Op; {
		case op == ir.OpLoad, op == ir.OpAtomicRMW, op == ir.OpCmpXchg:
			looks = args[0] == v
		case op == ir.OpStore:
			looks = args[1] == v
		case op == ir.OpGep && args[0] == v && depth < maxDepth:
			found = fn.addLooks(at, u, depth+1) || found
		case op.IsCall():
			sum, _ := fn.callee(u)
			for i, a := range args[1:] {
				looks = looks || a == v && sum != nil && sum.looksAt(i)
			}
		}
		if looks {
			at.add(uint32(f.BlockOf(u)))
			found = true
		}
	}
	return found
}

// nullSide returns the edge that branch t takes only when v is null, or -1.
func (fn *function) nullSide(t, v ir.ValueID) int {
	f := fn.f
	if f.Values[t].Op != ir.OpCondBr {
		return -1
	}
	c := f.ArgsOf(t)[0]
	if f.Values[c].Op != ir.OpICmp || f.ArgsOf(c)[0] != v || f.Values[f.ArgsOf(c)[1]].Op != ir.OpConstNull {
		return -1
	}
	switch ir.Pred(f.Values[c].Sub) {
	case ir.EQ:
		return 0
	case ir.NE:
		return 1
	}
	return -1
}

// isGetter reports whether the function writes nothing but its own variables and
// calls no other but such as well: what it returns was there before.
func (fn *function) isGetter() bool {
	f := fn.f
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		args := f.ArgsOf(v)
		switch op := f.Values[v].Op; {
		case op == ir.OpStore:
			if f.Values[fn.baseOf(args[1])].Op != ir.OpAlloca {
				return false
			}
		case op == ir.OpMemcpy, op == ir.OpMemset:
			if f.Values[fn.baseOf(args[0])].Op != ir.OpAlloca {
				return false
			}
		case op == ir.OpCmpXchg, op == ir.OpAtomicRMW:
			return false
		case op.IsCall() && !fn.gets(v):
			return false
		}
	}
	return true
}

// gets reports whether call v tells only what was there before.
func (fn *function) gets(v ir.ValueID) bool {
	sum, flags := fn.callee(v)
	return sum != nil && sum.getter || flags&ir.Intrinsic != 0 || fn.onlyLooks(v)
}

// isQuiet reports whether the function writes no pointers but to its own
// variables, nor calls one that does.
func (fn *function) isQuiet() bool {
	f := fn.f
	own := func(addr ir.ValueID) bool { return f.Values[fn.baseOf(addr)].Op == ir.OpAlloca }
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		args := f.ArgsOf(v)
		switch op := f.Values[v].Op; {
		case op == ir.OpStore:
			if f.Values[args[0]].Type.Kind() == ir.Ptr && !own(args[1]) {
				return false
			}
		case op == ir.OpMemcpy, op == ir.OpMemset:
			if !own(args[0]) {
				return false
			}
		case op == ir.OpCmpXchg, op == ir.OpAtomicRMW:
			if f.Values[args[1]].Type.Kind() == ir.Ptr {
				return false
			}
		case op.IsCall():
			if sum, flags := fn.callee(v); (sum == nil || !sum.quiet) && flags&ir.Intrinsic == 0 && !fn.onlyLooks(v) {
				return false
			}
		}
	}
	return true
}

// doubtCompared takes back that releases of what v points to are sure, if v is
// compared with other pointers: "if (p != it->inside) free(p)".
func (fn *function) doubtCompared(list []outcome, v ir.ValueID) {
	if !releasesSurely(list) || !fn.isCompared(v, 0) {
		return
	}
	for i := range list {
		list[i].sure = false
	}
}

func (fn *function) isCompared(v ir.ValueID, depth int) bool {
	f := fn.f
	for _, u := range fn.uses.Succs(uint32(v)) {
		u := ir.ValueID(u)
		args := f.ArgsOf(u)
		switch f.Values[u].Op {
		case ir.OpICmp:
			plain := func(op ir.Op) bool { return op == ir.OpConstNull || op == ir.OpConstInt }
			if !plain(f.Values[args[0]].Op) && !plain(f.Values[args[1]].Op) {
				return true
			}
		case ir.OpGep, ir.OpPhi:
			if depth < 3 && fn.isCompared(u, depth+1) {
				return true
			}
		}
	}
	return false
}

// doubtHeld does the same for what cell c holds, and notes which releases leave
// the cell as it was.
func (fn *function) doubtHeld(c cell, list []outcome) {
	if !releasesSurely(list) {
		return
	}
	if isContent(c.base) { // which goes by several names
		for i := range list {
			list[i].sure = false
		}
		return
	}
	f := fn.f
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		if f.Values[v].Op == ir.OpLoad {
			if at, ok := fn.spot(f.ArgsOf(v)[0]); ok && at == c {
				fn.doubtCompared(list, v)
			}
		}
	}
	stays := !fn.mayWrite(c)
	for i := range list {
		list[i].stays = stays && list[i].effect == consumes
	}
}

// mayWrite reports whether the function may write cell c, or have it written.
func (fn *function) mayWrite(c cell) bool {
	f := fn.f
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		args := f.ArgsOf(v)
		switch op := f.Values[v].Op; {
		case op == ir.OpStore:
			at, ok := fn.spot(args[1])
			if f.Values[args[0]].Type.Kind() == ir.Ptr && (!ok || at.base != c.base && fn.value(at.base).Op != ir.OpAlloca || at == c) {
				return true
			}
		case op == ir.OpMemcpy, op == ir.OpMemset:
			if f.Values[fn.baseOf(args[0])].Op != ir.OpAlloca {
				return true
			}
		case op == ir.OpCmpXchg, op == ir.OpAtomicRMW:
			if f.Values[args[1]].Type.Kind() == ir.Ptr {
				return true
			}
		case op.IsCall():
			sum, flags := fn.callee(v)
			if sum != nil && sum.quiet || flags&ir.Intrinsic != 0 || fn.onlyLooks(v) {
				continue
			}
			return true
		}
	}
	return false
}
