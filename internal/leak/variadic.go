// This file finds functions that only have their further arguments printed.

package leak

import "github.com/plumb-project/plumb/internal/ir"

// A list is where a function has a list of arguments, a va_list: a variable or a
// parameter.
type list struct {
	fn ir.FuncID
	at ir.ValueID
}

// printers finds the variadic functions, by FuncID, that take nothing out of their
// further arguments: the lists of them go to functions that hand them on as well,
// and in the end to functions with a model, such as vprintf. A function that writes
// a log does not keep what it is told of: testdata/calls/variadic.c. That is found
// for the whole program at once, as such functions tend to be in cycles of calls:
// what handles an error tells of it.
func printers(p *ir.Program, models []*summary) []bool {
	out := make([]bool, len(p.Funcs))
	from := map[list][]list{} // the lists from which one comes
	opens := map[list]bool{}
	var work []list
	visit := func(l, by list) {
		if _, seen := from[l]; !seen {
			work = append(work, l)
		}
		from[l] = append(from[l], by)
	}
	for i := range p.Funcs {
		f, id := &p.Funcs[i], ir.FuncID(i)
		if f.Flags&ir.Variadic == 0 || f.IsDecl() {
			continue
		}
		out[id] = true
		for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
			if f.Values[v].Op == ir.OpVaStart {
				l := list{id, f.ArgsOf(v)[0]}
				opens[l] = true
				visit(l, list{})
			}
		}
	}
	var wrong []list
	for len(work) > 0 {
		l := work[len(work)-1]
		work = work[:len(work)-1]
		if !handedOn(p, models, l, func(to list) { visit(to, l) }) {
			wrong = append(wrong, l)
		}
	}
	seen := map[list]bool{{}: true}
	for len(wrong) > 0 {
		l := wrong[len(wrong)-1]
		wrong = wrong[:len(wrong)-1]
		if seen[l] {
			continue
		}
		seen[l] = true
		if opens[l] {
			out[l.fn] = false
		}
		wrong = append(wrong, from[l]...)
	}
	return out
}

// handedOn tells where a list goes. It reports whether nothing else is done with it.
func handedOn(p *ir.Program, models []*summary, l list, to func(list)) bool {
	f := &p.Funcs[l.fn]
	if op := f.Values[l.at].Op; op != ir.OpAlloca && op != ir.OpParam {
		return false
	}
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		args := f.ArgsOf(v)
		for i, a := range args {
			if a != l.at {
				continue
			}
			switch op := f.Values[v].Op; {
			case op == ir.OpVaStart, op == ir.OpVaEnd, op == ir.OpSet, op == ir.OpLifetimeStart, op == ir.OpLifetimeEnd:
			case (op == ir.OpVaCopy || op == ir.OpMemset) && i == 0: // memset is for compilers that clear variables
			case op == ir.OpVaCopy:
				to(list{l.fn, args[0]})
			case op.IsCall() && i > 0 && f.Callee(v) != 0:
				c := f.Callee(v)
				switch callee := &p.Funcs[c]; {
				case callee.IsDecl() && (models[c] == nil || !models[c].modelled || !models[c].looksAt(i-1)), i > int(callee.NParams):
					return false
				case !callee.IsDecl():
					to(list{c, ir.ValueID(i)})
				}
			default:
				return false
			}
		}
	}
	return true
}
