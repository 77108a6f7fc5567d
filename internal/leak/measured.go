// This file is about numbers made of pointers that hide nothing: how far apart two
// are, and the bits that say how one is aligned.

package leak

import "github.com/plumb-project/plumb/internal/ir"

// page is more than any mask that is used to ask how a pointer is aligned, and less
// than would find the object again.
const page = 4096

// onlyMeasured reports whether the pointer that v makes a number of is only measured:
// compared, asked for its last bits, or taken from another pointer into the object.
func (w *walker) onlyMeasured(s *state, v ir.ValueID) bool {
	f := w.fn.f
	for _, u := range w.fn.uses.Succs(uint32(v)) {
		u := ir.ValueID(u)
		args := f.ArgsOf(u)
		switch f.Values[u].Op {
		case ir.OpICmp:
		case ir.OpAnd:
			if mask, ok := f.ConstInt(args[1]); !ok || mask < 0 || mask >= page {
				return false
			}
		case ir.OpSub:
			for _, a := range args {
				if f.Values[a].Op != ir.OpPtrToInt || !s.holdsValue(f.ArgsOf(a)[0]) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}
