// This file holds the state of lowering one function, and the order of work.

package lower

import (
	"context"
	"sync/atomic"

	"github.com/plumb-project/plumb/internal/bitcode"
	"github.com/plumb-project/plumb/internal/graph"
	"github.com/plumb-project/plumb/internal/ir"
	"golang.org/x/sync/errgroup"
)

// A builder lowers bodies of one module, reusing its arrays.
type builder struct {
	l    *linker
	m    *module
	fr   *bitcode.FuncReader
	body *bitcode.Body
	fn   *ir.Func

	cfg      graph.CSR // blocks by LLVM number
	preds    graph.CSR
	dom      graph.Dom
	edges    []graph.Edge
	edgeSlot []uint32     // by edge: its place among the predecessors of its target
	npreds   []uint32     // by block: edges in from reachable blocks
	blockID  []ir.BlockID // by block: its id in the program; 0 when unreachable

	fate   []fate   // by instruction
	local  []uint32 // by local value: 1 + index of the promoted variable it is the address of
	repl   []subst  // by local value: what stands in for it
	vars   []variable
	phis   []phi
	phiArg []subst  // operands of all phis, see phi.args
	phiAt  []uint32 // by block: 1 + its first phi
	access accesses
	stack  []renameFrame
	cur    []subst // by variable: its value now
	undo   []undo

	vals     []ir.Value // instructions, in the making
	args     []ref
	cvals    []ir.Value // constant expressions, which go in front
	cargs    []ref
	consts   []ir.Value
	constID  map[constKey]uint32
	modRef   []modRef // by module value
	stamp    uint32   // of this function, for modRef
	conRef   []ref    // by constant of the function
	valNum   []uint32 // by local value: 1 + index in vals
	defBlock []uint32 // by local value: the block that makes it
	phiNum   []uint32 // by phi: index in vals
	order    []uint32 // by constant: its place among those used
	block    uint32   // being emitted
	incoming []subst  // by block, while a phi is lowered

	structs  []structRef // by TypeID
	types    localTypes
	sigs     map[bitcode.TypeID]ir.SigID
	debug    debugInfo
	typeText map[bitcode.MDID]string
}

// A structRef caches the struct of a type; it is final when named.
type structRef struct {
	id    ir.StructID
	named bool
	stamp uint32
}

type modRef struct {
	stamp uint32
	ref   ref
}

// A fate says what becomes of an instruction.
type fate uint8

const (
	fateKeep fate = iota
	fateDrop      // it leaves no trace, or repl says what stands in for it
	fateSet       // store to a promoted variable
)

// chunk is how many functions a worker takes at a time.
const chunk = 32

// bodies lowers every body that was kept. A body that cannot be read leaves its
// function a declaration and its unit marked as failed.
func (l *linker) bodies(ctx context.Context, jobs int, failed []error) error {
	type job struct {
		m        *module
		from, to int
	}
	var work []job
	for _, m := range l.mods {
		for i := 0; i < len(m.Funcs); i += chunk {
			work = append(work, job{m, i, min(i+chunk, len(m.Funcs))})
		}
	}
	errs := make([]error, len(work)) // first error of each job
	var next atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for range min(jobs, len(work)) {
		g.Go(func() error {
			var b *builder
			for {
				i := int(next.Add(1) - 1)
				if i >= len(work) {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				j := work[i]
				if b == nil || b.m != j.m {
					b = newBuilder(l, j.m, b)
				}
				errs[i] = b.lowerRange(j.from, j.to)
			}
		})
	}
	err := g.Wait()
	for i, e := range errs {
		if u := work[i].m.unit; e != nil && failed[u] == nil {
			failed[u] = e
		}
	}
	return err
}

// newBuilder returns a builder for m that takes over the arrays of old.
func newBuilder(l *linker, m *module, old *builder) *builder {
	b := old
	if b == nil {
		b = &builder{constID: map[constKey]uint32{}}
		b.debug.scopes = map[bitcode.MDID]ir.ScopeID{}
		b.debug.vars = map[bitcode.MDID]ir.VarID{}
		b.debug.locs = map[ir.Loc]ir.LocID{}
	}
	b.l, b.m, b.fr = l, m, m.NewFuncReader()
	b.modRef = cleared(b.modRef, len(m.Values))
	b.structs = cleared(b.structs, len(m.Types))
	b.sigs = map[bitcode.TypeID]ir.SigID{}
	b.typeText = map[bitcode.MDID]string{}
	b.debug.files = map[bitcode.MDID]ir.FileID{}
	b.stamp = 0
	return b
}

func (b *builder) lowerRange(from, to int) error {
	var first error
	for i := from; i < to; i++ {
		if !b.m.owned[i] {
			continue
		}
		fn := &b.l.prog.Funcs[b.m.funcs[i]]
		body, err := b.fr.Read(i)
		if err != nil {
			fn.DropBody()
			if first == nil {
				first = err
			}
			continue
		}
		b.body, b.fn = body, fn
		b.lower()
	}
	return first
}

// lower does one function.
func (b *builder) lower() {
	b.stamp++
	b.types = localTypes{md: b.body.MD}
	b.fn.Personality = b.personality()
	b.startDebug()
	b.buildCFG()
	b.decide()
	b.promote()
	b.emit()
	b.finish()
}

func (b *builder) personality() ir.FuncID {
	if p := b.body.Func.Personality; p != bitcode.NoValue {
		return b.m.target(p, 0).fn
	}
	return 0
}

// cleared returns s with n zero elements, reusing its array.
func cleared[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	s = s[:n]
	clear(s)
	return s
}

// exact copies scratch into an array of its own size.
func exact[T any](s []T) []T {
	if len(s) == 0 {
		return nil
	}
	return append(make([]T, 0, len(s)), s...)
}
