// This file says where an object comes from that the function has not made itself,
// as far as it knows.

package leak

import "github.com/plumb-project/plumb/internal/ir"

// cameFrom returns the value that a load reads, if it is the only one the function
// puts there and nobody else may put another; otherwise v itself.
func (fn *function) cameFrom(v ir.ValueID) ir.ValueID {
	f := fn.f
	if f.Values[v].Op != ir.OpLoad {
		return v
	}
	base, off, ok := fn.address(f.ArgsOf(v)[0])
	if !ok || f.Values[base].Op != ir.OpAlloca || !fn.isLocal(base) {
		return v
	}
	from := ir.ValueID(0)
	for u := f.Blocks[1].First; int(u) < len(f.Values); u++ {
		args := f.ArgsOf(u)
		switch op := f.Values[u].Op; {
		case op == ir.OpStore:
			if b, o, ok := fn.address(args[1]); !ok || b != base || o != off || f.Values[args[0]].Op == ir.OpConstNull {
				continue
			}
			if from != 0 || !fn.dom.Dominates(uint32(f.BlockOf(u)), uint32(f.BlockOf(v))) {
				return v
			}
			from = args[0]
		case op.IsCall():
			if sum, _ := fn.callee(u); sum != nil && sum.quiet {
				continue
			}
			for _, a := range args[1:] {
				if fn.baseOf(a) == base {
					return v
				}
			}
		}
	}
	if from == 0 || f.Values[from].Op.IsConst() {
		return v
	}
	return from
}

// fromText says where an object comes from that was there before.
func (w *walker) fromText(v ir.ValueID) string {
	f := w.fn.f
	x := &f.Values[v]
	switch sum, _ := w.fn.callee(v); {
	case x.Op == ir.OpParam && x.Var != 0:
		return "given as " + f.Vars[x.Var].Name
	case sum != nil:
		return "returned by " + sum.name
	case x.Op == ir.OpLoad:
		if c, ok := w.fn.spot(f.ArgsOf(v)[0]); ok && w.cellName(c) != "" {
			return "read from " + w.cellName(c)
		}
		return "read from memory"
	}
	return "comes from here"
}
