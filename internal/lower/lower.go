// Package lower turns bitcode into an ir.Program: it links the units, builds
// SSA, and copies all that later phases need, so that nothing of LLVM's records
// or numbering is visible above.
//
// The work goes in four steps. Open decodes the modules without bodies, in
// parallel. Link meets symbols by name and linkage and gives functions and
// globals their ids, in input order. Bodies of the definitions that were kept
// are decoded and lowered in parallel; a body that lost against another copy is
// never read. Last, what the workers interned as they met it (files, structs,
// signatures) is sorted, so that the program does not depend on how the work
// was spread.
//
// SSA is built from the allocas whose address goes nowhere, by iterated
// dominance frontiers with liveness; blocks that cannot be reached are left out.
// Stores to these variables become Set.
//
// Cost: see BenchmarkLower; reading and lowering a file takes less than a tenth
// of the time clang needs to compile it.
package lower

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/plumb-project/plumb/internal/bitcode"
	"github.com/plumb-project/plumb/internal/ir"
	"golang.org/x/sync/errgroup"
)

// A Unit is one input.
type Unit struct {
	Name  string                 // for messages
	Data  func() ([]byte, error) // its bitcode
	Given bool                   // it comes from the user, not from a clang we ran: check what it says
}

// Config says how to work.
type Config struct {
	Jobs int         // workers; 0 for one per processor
	Like *ir.Program // another version of the program, whose functions have the same ids; nil for none
}

// A Result is a program and what is not in it.
type Result struct {
	Program *ir.Program
	Skipped []Skipped // units that could not be read, in input order
	Notes   []string  // what a user may want to know, such as symbols defined twice
	Inputs  []int     // by ir.UnitID: the index of the input that the unit comes from
}

// A Skipped unit could not be read, or not all of it.
type Skipped struct {
	Unit   string
	Reason string
}

// A module is one opened module and where its symbols ended up.
type module struct {
	*bitcode.Module
	unit    int       // index of the input
	cxx     bool      // C++
	id      ir.UnitID // 0 until linked
	layout  layout
	types   []ir.Type
	syms    []symbol    // by value number, for globals, functions and aliases
	funcs   []ir.FuncID // by function index
	owned   []bool      // by function index: this module's definition was kept
	fields  fieldNames
	structs []ir.StructID // by TypeID: those that are final, under linker.mu

	intrinsics []intrinsic // by function index
}

// A symbol is where a module-level name leads.
type symbol struct {
	fn  ir.FuncID
	gl  ir.GlobalID
	off int64 // into gl
}

// Lower reads, links and lowers the units.
func Lower(ctx context.Context, units []Unit, cfg Config) (*Result, error) {
	if cfg.Jobs <= 0 {
		cfg.Jobs = runtime.GOMAXPROCS(0)
	}
	opened, failed, err := openAll(ctx, units, cfg.Jobs)
	if err != nil {
		return nil, err
	}
	l := newLinker(units)
	for i := range units {
		l.mods = append(l.mods, opened[i]...)
	}
	l.link()
	if cfg.Like != nil {
		l.orderLike(cfg.Like)
	}
	if err := l.bodies(ctx, cfg.Jobs, failed); err != nil {
		return nil, err
	}
	l.globals()
	l.attributes()
	l.canonical()
	l.checkGiven(failed)
	res := &Result{Program: l.prog, Notes: l.notes, Inputs: make([]int, len(l.prog.Units))}
	for _, m := range l.mods {
		res.Inputs[m.id] = m.unit
	}
	for i, err := range failed {
		if err != nil {
			res.Skipped = append(res.Skipped, Skipped{units[i].Name, err.Error()})
		}
	}
	return res, nil
}

// checkGiven verifies functions that came as bitcode. Damage that the reader
// cannot see, such as a value used before it exists, costs the function its body.
func (l *linker) checkGiven(failed []error) {
	unitOf := func(f *ir.Func) int { return l.mods[f.Unit-1].unit }
	given := func(f *ir.Func) bool { return !f.IsDecl() && l.units[unitOf(f)].Given }
	ir.VerifyBodies(l.prog, given, func(id ir.FuncID, err error) {
		f := &l.prog.Funcs[id]
		if u := unitOf(f); failed[u] == nil {
			failed[u] = fmt.Errorf("bad bitcode: %w", err)
		}
		f.DropBody()
	})
}

// openAll decodes the module level of every unit. A unit that cannot be read
// costs only itself.
func openAll(ctx context.Context, units []Unit, jobs int) ([][]*module, []error, error) {
	opened := make([][]*module, len(units))
	failed := make([]error, len(units))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(jobs)
	for i := range units {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			opened[i], failed[i] = open(&units[i], i)
			return nil
		})
	}
	err := g.Wait()
	return opened, failed, err
}

func open(u *Unit, index int) ([]*module, error) {
	data, err := u.Data()
	if err != nil {
		return nil, err
	}
	mods, err := bitcode.Open(u.Name, data)
	if errors.Is(err, bitcode.ErrNotBitcode) {
		return nil, fmt.Errorf("%w; compile it with clang -emit-llvm or -flto", err)
	}
	if err != nil {
		return nil, err
	}
	out := make([]*module, len(mods))
	for i, m := range mods {
		out[i] = &module{Module: m, unit: index}
		out[i].layout = parseLayout(m.DataLayout)
		out[i].types = irTypes(m, &out[i].layout)
		out[i].intrinsics = findIntrinsics(m)
	}
	return out, nil
}
