// This file checks the inside of a function: ids, blocks, edges, dominance.

package ir

import (
	"errors"
	"fmt"
	"slices"

	"github.com/plumb-project/plumb/internal/graph"
)

// A verifier checks functions of one program, reusing its memory.
type verifier struct {
	p   *Program
	pr  *Printer // made when there is something to print
	f   *Func
	id  FuncID
	cfg graph.CSR
	rev graph.CSR
	dom graph.Dom
	blk []BlockID // by ValueID: the block of an instruction, 0 for others
	buf []BlockID
}

func newVerifier(p *Program) *verifier { return &verifier{p: p} }

// verify runs the checks in an order in which each may rely on those before.
func (v *verifier) verify(id FuncID) error {
	v.id, v.f = id, &v.p.Funcs[id]
	if v.f.IsDecl() {
		if len(v.f.Values) > 0 || len(v.f.Blocks) > 0 {
			return v.errorf("a declaration with a body")
		}
		return nil
	}
	for _, check := range []func() error{v.tables, v.ranges, v.layout, v.consts, v.edges, v.insts, v.dominance} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (v *verifier) errorf(format string, args ...any) error {
	return fmt.Errorf("ir: func %d @%s: %w", v.id, v.f.Name, fmt.Errorf(format, args...))
}

// instErrorf names and prints the instruction too.
func (v *verifier) instErrorf(i ValueID, format string, args ...any) error {
	if v.pr == nil {
		v.pr = NewPrinter(v.p)
	}
	return v.errorf("%%%d in b%d: %w\n\t%s", i, v.f.BlockOf(i), fmt.Errorf(format, args...), v.pr.InstString(v.f, i))
}

// tables checks variables, scopes and locations.
func (v *verifier) tables() error {
	f := v.f
	for i := 1; i < len(f.Vars); i++ {
		if err := below("scope", f.Vars[i].Scope, f.Scopes); err != nil {
			return v.errorf("var #%d %q: %w", i, f.Vars[i].Name, err)
		}
	}
	for i := 1; i < len(f.Scopes); i++ {
		s := &f.Scopes[i]
		if err := errors.Join(below("parent", s.Parent, f.Scopes), below("file", s.File, v.p.Files)); err != nil {
			return v.errorf("scope s%d: %w", i, err)
		}
	}
	if s := cycle(len(f.Scopes), func(i int) int { return int(f.Scopes[i].Parent) }); s != 0 {
		return v.errorf("scope s%d is inside itself", s)
	}
	for i := 1; i < len(f.Locs); i++ {
		l := &f.Locs[i]
		if err := errors.Join(below("scope", l.Scope, f.Scopes), below("location", l.Inlined, f.Locs)); err != nil {
			return v.errorf("location %d, %d:%d: %w", i, l.Line, l.Col, err)
		}
	}
	if l := cycle(len(f.Locs), func(i int) int { return int(f.Locs[i].Inlined) }); l != 0 {
		return v.errorf("location %d is inlined into itself", l)
	}
	return nil
}

// cycle returns a node from which following up never ends at 0, or 0.
func cycle(n int, up func(int) int) int {
	done := make([]int, n) // the walk that saw the node
	for i := 1; i < n; i++ {
		j := i
		for ; j != 0 && done[j] == 0; j = up(j) {
			done[j] = i
		}
		if j != 0 && done[j] == i {
			return j
		}
	}
	return 0
}

// ranges checks that nothing points outside the flat arrays, so that what follows can index freely.
func (v *verifier) ranges() error {
	f := v.f
	for b := 1; b < len(f.Blocks); b++ {
		x := &f.Blocks[b]
		if uint64(x.Succ)+uint64(x.NSucc) > uint64(len(f.Edges)) || uint64(x.Pred)+uint64(x.NPred) > uint64(len(f.Edges)) {
			return v.errorf("b%d: edges out of range", b)
		}
	}
	for _, e := range f.Edges {
		if e == 0 || int(e) >= len(f.Blocks) {
			return v.errorf("an edge to b%d of %d", e, len(f.Blocks)-1)
		}
	}
	for i := 1; i < len(f.Values); i++ {
		x := &f.Values[i]
		if x.Op == OpInvalid || x.Op >= NumOps {
			return v.errorf("%%%d: bad op %d", i, x.Op)
		}
		if uint64(x.Args)+uint64(x.NArgs) > uint64(len(f.Args)) {
			return v.errorf("%%%d %s: operands out of range", i, x.Op)
		}
		for _, a := range f.ArgsOf(ValueID(i)) {
			if a == 0 || int(a) >= len(f.Values) {
				return v.errorf("%%%d %s: operand %%%d of %d", i, x.Op, a, len(f.Values)-1)
			}
		}
		err := errors.Join(below("variable", x.Var, f.Vars), below("location", x.Loc, f.Locs), verifyType(v.p, x.Type), v.aux(x))
		if err != nil {
			return v.errorf("%%%d %s: %w", i, x.Op, err)
		}
	}
	return nil
}

// aux checks what Aux indexes.
func (v *verifier) aux(x *Value) error {
	f := v.f
	index := func(n int, what string) error {
		if int(x.Aux) >= n {
			return fmt.Errorf("%s %d of %d", what, x.Aux, n)
		}
		return nil
	}
	switch x.Op {
	case OpParam:
		return index(int(f.NParams), "parameter")
	case OpConstInt, OpConstFloat, OpExtractValue, OpInsertValue:
		return index(len(f.Ints), "integer")
	case OpAlloca:
		if err := index(len(f.Ints)-1, "integer"); err != nil {
			return err
		}
		if s := f.Ints[x.Aux+1]; s < 0 || s != 0 && s >= int64(len(v.p.Structs)) {
			return fmt.Errorf("struct %d of %d", s, len(v.p.Structs)-1)
		}
		return nil
	case OpConstData, OpAsm:
		return index(len(f.Strs), "string")
	case OpFuncAddr:
		return need("function", FuncID(x.Aux), v.p.Funcs)
	case OpGlobalAddr:
		return need("global", GlobalID(x.Aux), v.p.Globals)
	case OpBlockAddr:
		return below("block", BlockID(x.Aux), f.Blocks)
	case OpCall, OpInvoke, OpCallBr:
		return below("signature", SigID(x.Aux), v.p.Sigs)
	case OpGep:
		if err := index(len(f.Geps), "gep"); err != nil {
			return err
		}
		return v.gep(&f.Geps[x.Aux])
	}
	if x.Aux != 0 {
		return fmt.Errorf("aux is %d", x.Aux)
	}
	return nil
}

func (v *verifier) gep(g *Gep) error {
	if uint64(g.Stride)+uint64(g.NStride) > uint64(len(v.f.Strides)) {
		return errors.New("strides out of range")
	}
	if uint64(g.Step)+uint64(g.NStep) > uint64(len(v.f.Steps)) {
		return errors.New("steps out of range")
	}
	for _, s := range v.f.Steps[g.Step : g.Step+g.NStep] {
		if err := need("struct", s.Struct, v.p.Structs); err != nil {
			return err
		}
		if int(s.Field) >= len(v.p.Structs[s.Struct].Fields) {
			return fmt.Errorf("field %d of struct $%d", s.Field, s.Struct)
		}
	}
	return nil
}

// layout checks that values are parameters, constants, then the blocks' instructions without gaps.
func (v *verifier) layout() error {
	f := v.f
	if len(f.Blocks) < 2 {
		return v.errorf("no blocks")
	}
	if int(f.NParams) >= len(f.Values) {
		return v.errorf("%d parameters but %d values", f.NParams, len(f.Values))
	}
	for i := range f.NParams {
		if x := &f.Values[i+1]; x.Op != OpParam || x.Aux != i {
			return v.errorf("%%%d is not parameter %d", i+1, i)
		}
	}
	v.blk = slices.Grow(v.blk[:0], len(f.Values))[:len(f.Values)]
	clear(v.blk)
	next := f.Blocks[1].First
	if next <= ValueID(f.NParams) || int(next) >= len(f.Values) {
		return v.errorf("b1 starts at %%%d", next)
	}
	for b := 1; b < len(f.Blocks); b++ {
		x := &f.Blocks[b]
		if x.First != next || x.End <= x.First || int(x.End) > len(f.Values) {
			return v.errorf("b%d has values %d to %d, want %d and on", b, x.First, x.End, next)
		}
		next = x.End
		phis := true
		for i := x.First; i < x.End; i++ {
			v.blk[i] = BlockID(b)
			op := f.Values[i].Op
			switch {
			case !op.IsInst():
				return v.errorf("%%%d in b%d is a %s", i, b, op)
			case op.IsTerminator() != (i == x.End-1):
				return v.instErrorf(i, "a block must end in its only terminator")
			case op == OpPhi && !phis:
				return v.instErrorf(i, "a phi after other instructions")
			case op == OpPhi && f.Values[i].NArgs != x.NPred:
				return v.instErrorf(i, "%d operands for %d predecessors", f.Values[i].NArgs, x.NPred)
			}
			phis = phis && op == OpPhi
		}
	}
	if int(next) != len(f.Values) {
		return v.errorf("values %d and on belong to no block", next)
	}
	return nil
}

// edges checks that successors and predecessors agree and that the entry reaches every block and no edge leads to it.
func (v *verifier) edges() error {
	f := v.f
	n := len(f.Blocks)
	var edges []graph.Edge
	for b := 1; b < n; b++ {
		for _, s := range f.SuccsOf(BlockID(b)) {
			edges = append(edges, graph.Edge{From: uint32(b), To: uint32(s)})
		}
	}
	v.cfg.Build(n, edges)
	v.cfg.Reverse(&v.rev)
	for b := 1; b < n; b++ {
		v.buf = append(v.buf[:0], f.PredsOf(BlockID(b))...)
		slices.Sort(v.buf)
		want := v.rev.Succs(uint32(b))
		if !slices.EqualFunc(v.buf, want, func(x BlockID, y uint32) bool { return uint32(x) == y }) {
			return v.errorf("b%d has predecessors %v, but %v lead to it", b, v.buf, want)
		}
	}
	if f.Blocks[1].NPred != 0 {
		return v.errorf("the entry block has predecessors")
	}
	v.dom.Build(&v.cfg, &v.rev, 1)
	for b := 1; b < n; b++ {
		if !v.dom.Reached(uint32(b)) {
			return v.errorf("b%d is not reachable", b)
		}
	}
	return nil
}

// dominance checks that every operand is defined before its use on all paths.
func (v *verifier) dominance() error {
	f := v.f
	for b := BlockID(1); int(b) < len(f.Blocks); b++ {
		preds := f.PredsOf(b)
		for i := f.Blocks[b].First; i < f.Blocks[b].End; i++ {
			for k, a := range f.ArgsOf(i) {
				ok := v.defined(a, i, b)
				if f.Values[i].Op == OpPhi {
					ok = v.availableAt(a, preds[k], b)
				}
				if !ok {
					return v.instErrorf(i, "operand %%%d is not defined on all paths here", a)
				}
			}
		}
	}
	return nil
}

// defined reports whether a is defined where instruction i of block b uses it.
func (v *verifier) defined(a, i ValueID, b BlockID) bool {
	d := v.blk[a]
	switch {
	case d == 0:
		return true
	case d == b:
		return a < i
	}
	return v.availableIn(a, b)
}

// availableIn reports whether a, an instruction of another block, is defined at the start of b.
//
// What an invoke defines is there on its first edge only: that edge, or a block
// it alone leads to, must dominate. Other terminators define on all edges.
func (v *verifier) availableIn(a ValueID, b BlockID) bool {
	d := v.blk[a]
	if v.f.Values[a].Op != OpInvoke {
		return v.dom.Dominates(uint32(d), uint32(b))
	}
	succs := v.f.SuccsOf(d)
	if len(succs) == 0 || slices.Contains(succs[1:], succs[0]) {
		return false
	}
	// The edge dominates b when its target does and every other edge to the target comes from below the target.
	to := succs[0]
	for _, p := range v.f.PredsOf(to) {
		if p != d && !v.dom.Dominates(uint32(to), uint32(p)) {
			return false
		}
	}
	return v.dom.Dominates(uint32(to), uint32(b))
}

// availableAt reports whether a is defined on the edge from p to b.
func (v *verifier) availableAt(a ValueID, p, b BlockID) bool {
	d := v.blk[a]
	if d == 0 {
		return true
	}
	if d == p {
		return v.f.Values[a].Op != OpInvoke || v.f.SuccsOf(p)[0] == b && !slices.Contains(v.f.SuccsOf(p)[1:], b)
	}
	return v.availableIn(a, p)
}
