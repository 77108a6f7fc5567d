// This file asks whether anybody calls the function of a finding in a way that
// leads there.

package prove

import (
	"slices"

	"github.com/plumb-project/plumb/internal/cond"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/solve"
)

const (
	maxCallers = 8 // different ways to call the function that are looked at
	maxUp      = 4 // how far up a parameter is handed on
)

// latent reports whether the finding is reached only for arguments that no call in
// the program passes: not on the path that was found, and on no other. If it is
// reached from a call, v becomes a path on which it is.
func (m *machine) latent(f *report.Finding, v *verdict) bool {
	top := v.state.top
	for top.up != nil {
		top = top.up
	}
	params := slices.Clone(top.env[1 : 1+top.f.NParams])
	var about []cond.Term // conditions on parameters alone
	for _, c := range v.state.conditions() {
		vars := m.pool.Vars(c)
		if len(vars) > 0 && !slices.ContainsFunc(vars, func(t cond.Term) bool { return !slices.Contains(params, t) }) {
			about = append(about, c)
		}
	}
	if len(about) == 0 {
		return false
	}
	calls, ok := m.bindings(top.id, params, 0)
	if !ok {
		return false
	}
	for _, call := range calls {
		if m.solver.Check(m.ctx, m.pool, slices.Concat(about, call)).Answer != solve.Unsat {
			return false
		}
	}
	for _, call := range calls {
		m.given = call
		switch again := m.search(m.graph, f); again.answer {
		case refuted:
		case proved:
			*v = again
			return false
		default:
			return false
		}
	}
	return true
}

// bindings returns what each call in the program says of the parameters. It is not
// ok if some call may pass anything, or not all are known: the address of the
// function is taken, or the program is not whole.
func (m *machine) bindings(id ir.FuncID, params []cond.Term, depth int) (out [][]cond.Term, ok bool) {
	g := m.res.Calls()
	calls := g.CallersOf(id)
	if depth > maxUp || len(calls) == 0 || m.taken[id] || !m.whole {
		return nil, false
	}
	for _, i := range calls {
		c := &g.Calls[i]
		f := &m.p.Funcs[c.Caller]
		args := f.ArgsOf(c.Site)[1:]
		up := make([]cond.Term, f.NParams) // parameters of the caller that are handed on
		handed := false
		var conds []cond.Term
		for i, t := range params {
			if t == 0 || i >= len(args) {
				continue
			}
			a := args[i]
			if x := &f.Values[a]; x.Op == ir.OpParam && x.Type.Bytes() == uint64(m.pool.Bits(t)+7)/8 {
				up[x.Aux], handed = t, true
				continue
			}
			conds = append(conds, m.passes(f, a, t)...)
		}
		all := [][]cond.Term{nil}
		if handed {
			if more, ok := m.bindings(c.Caller, up, depth+1); ok {
				all = more
			}
		}
		for _, more := range all {
			one := slices.Concat(conds, more)
			if len(one) == 0 {
				return nil, false
			}
			if !slices.ContainsFunc(out, func(o []cond.Term) bool { return slices.Equal(o, one) }) {
				out = append(out, one)
			}
		}
		if len(out) > maxCallers {
			return nil, false
		}
	}
	return out, true
}

// passes returns what is known of t when it is argument a.
func (m *machine) passes(f *ir.Func, a ir.ValueID, t cond.Term) []cond.Term {
	if n := m.constant(f, a); n != 0 && m.pool.Bits(n) == m.pool.Bits(t) {
		if _, ok := m.pool.ConstValue(n); ok {
			return []cond.Term{m.pool.Compare(cond.EQ, t, n)}
		}
	}
	for f.Values[a].Op == ir.OpGep {
		a = f.ArgsOf(a)[0]
	}
	switch f.Values[a].Op {
	case ir.OpAlloca, ir.OpGlobalAddr, ir.OpFuncAddr:
		return []cond.Term{m.pool.Compare(cond.NE, t, m.pool.Const(64, 0))}
	case ir.OpICmp:
		if m.pool.Bits(t) == 1 {
			return nil
		}
	case ir.OpZExt:
		if from := f.Values[f.ArgsOf(a)[0]].Type; from.Kind() == ir.Int && from.Size() < uint64(m.pool.Bits(t)) {
			return []cond.Term{m.pool.Compare(cond.ULT, t, m.pool.Const(m.pool.Bits(t), 1<<from.Size()))}
		}
	}
	return nil
}

// takenFuncs returns the functions whose address is used other than to call them.
func takenFuncs(p *ir.Program) map[ir.FuncID]bool {
	out := map[ir.FuncID]bool{}
	for i := range p.Globals {
		for _, c := range p.Globals[i].Init {
			if c.Kind == ir.CellFunc {
				out[c.Func] = true
			}
		}
	}
	for i := range p.Funcs {
		f := &p.Funcs[i]
		for v := range f.Values {
			for k, a := range f.ArgsOf(ir.ValueID(v)) {
				if x := &f.Values[a]; x.Op == ir.OpFuncAddr && (k != 0 || !f.Values[v].Op.IsCall()) {
					out[ir.FuncID(x.Aux)] = true
				}
			}
		}
	}
	return out
}

// isWhole reports whether the program has a main function.
func isWhole(p *ir.Program) bool {
	return slices.ContainsFunc(p.Funcs, func(f ir.Func) bool { return f.Name == "main" && !f.IsDecl() })
}
