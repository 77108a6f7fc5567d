// Package own says how a program releases its objects, and who owns what.
//
// It reads the whole program once. From every call that releases something it goes
// back to the calls that may have made it: through variables, parameters and results,
// and through fields and globals, each field being one place for all objects of its
// type. What that gives is evidence: objects like this one are released like that,
// here or elsewhere. Releasers puts it in order.
//
// It is a guess, and meant as one: where the release is right is for others to prove.
//
// It also says which fields and globals are the only owners of what they point to, so that
// this can be released before they are set to something else. That is no guess: Sole
// looks at all that the program does with such memory, and doubt counts against it.
// The program is taken to be whole, and its structs to be used as what they are declared to be.
package own

import (
	"slices"

	"github.com/plumb-project/plumb/internal/callgraph"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/model"
	"github.com/plumb-project/plumb/internal/source"
)

// An Object is what a call makes: its result, or what it leaves in a place.
type Object struct {
	Func  ir.FuncID
	Site  ir.ValueID
	Place *leak.Place // nil for the result
}

// An Index knows the releases of a program. It is for one goroutine.
type Index struct {
	p      *ir.Program
	calls  *callgraph.Graph
	view   *leak.View
	models *model.Set

	stores   map[slot][]value  // what is put there
	makes    map[slot][]Object // what calls leave there
	results  map[ir.FuncID][]value
	callers  map[ir.FuncID][]value // calls, by whom they may lead to
	structs  map[value]ir.StructID // what a pointer points to, by how it is used
	names    map[string]ir.StructID
	used     map[use]uint32          // functions that are named in a unit: where the first begins that does so
	first    map[ir.FuncID]ir.FuncID // of functions that headers define, by each of its copies
	ofType   map[string][]*group     // functions that release what is of a type
	objects  []Object
	releases []release
	gathered bool // evidence, makers, anything and ofType are filled

	holdings  map[slot]*holding
	addresses map[slot][]value // of fields and globals; nil until asked
	uses      map[ir.FuncID][][]ir.ValueID
	taken     map[ir.FuncID]bool        // called through pointers; nil until asked
	whoCalls  map[ir.FuncID][]ir.FuncID // nil until asked
	later     []ir.FuncID               // see elsewhen; nil until asked
	laterAny  bool
	punned    map[ir.StructID]bool // seen as another struct, too
	slotTypes map[slot]ir.StructID // what slots point to; nil until asked
	strange   []ir.FuncID          // who calls something that is not known

	done        map[param]map[deed]bool // what functions do, by the parameter that is the object
	always      map[param]bool          // it is released on every path
	resultTypes map[ir.FuncID]string
	evidence    map[object][]clue
	makers      map[maker][]clue
	anything    map[ir.FuncID][]clue // by function: for what it returns, of whatever type
}

// A value is an instruction, parameter or constant of a function.
type value struct {
	fn ir.FuncID
	id ir.ValueID
}

// An object is an Object as a key.
type object struct {
	value
	result bool
	place  leak.Place
}

func (o Object) key() object {
	k := object{value: value{o.Func, o.Site}, result: o.Place == nil}
	if o.Place != nil {
		k.place = *o.Place
	}
	return k
}

// A use is a function that is named in a unit.
type use struct {
	unit ir.UnitID
	fn   ir.FuncID
}

// A release is one call that releases something.
type release struct {
	leak.Release
	at value
	by ir.FuncID // 0 for a call through a pointer
}

// New reads a program. Models says what library functions do; nil for model.Builtin.
func New(p *ir.Program, res *leak.Result, models *model.Set) *Index {
	if models == nil {
		models = model.Builtin()
	}
	x := &Index{p: p, calls: res.Calls(), view: res.View(), models: models,
		stores: map[slot][]value{}, makes: map[slot][]Object{}, results: map[ir.FuncID][]value{},
		callers: map[ir.FuncID][]value{}, structs: map[value]ir.StructID{}, names: map[string]ir.StructID{},
		used: map[use]uint32{}, first: map[ir.FuncID]ir.FuncID{}, ofType: map[string][]*group{}, evidence: map[object][]clue{}, punned: map[ir.StructID]bool{}, holdings: map[slot]*holding{}, uses: map[ir.FuncID][][]ir.ValueID{}, done: map[param]map[deed]bool{}, always: map[param]bool{}, resultTypes: map[ir.FuncID]string{}, makers: map[maker][]clue{}, anything: map[ir.FuncID][]clue{}}
	for i := range x.calls.Calls {
		c := &x.calls.Calls[i]
		if c.Callee != 0 {
			x.callers[c.Callee] = append(x.callers[c.Callee], value{c.Caller, c.Site})
		}
		for _, t := range c.Targets {
			x.callers[t] = append(x.callers[t], value{c.Caller, c.Site})
		}
	}
	for id := ir.FuncID(1); int(id) < len(p.Funcs); id++ {
		if f := &p.Funcs[id]; !f.IsDecl() {
			x.learnTypes(id, f)
		}
	}
	x.nameStructs()
	x.findCopies()
	x.findReleasers()
	for id := ir.FuncID(1); int(id) < len(p.Funcs); id++ {
		if f := &p.Funcs[id]; !f.IsDecl() {
			x.read(id, f)
		}
	}
	return x
}

// read notes what one function stores, makes, releases and returns.
func (x *Index) read(id ir.FuncID, f *ir.Func) {
	for v := ir.ValueID(1); int(v) < len(f.Values); v++ {
		args := f.ArgsOf(v)
		switch op := f.Values[v].Op; {
		case op == ir.OpFuncAddr:
			u := use{f.Unit, x.canon(ir.FuncID(f.Values[v].Aux))}
			if line, ok := x.used[u]; !ok || f.Line < line {
				x.used[u] = f.Line
			}
		case op == ir.OpStore && f.Values[args[0]].Type.Kind() == ir.Ptr:
			for _, s := range x.slotsAt(id, args[1], 0) {
				x.stores[s] = append(x.stores[s], value{id, args[0]})
			}
		case op == ir.OpRet && len(args) > 0:
			x.results[id] = append(x.results[id], value{id, args[0]})
		case op.IsCall():
			x.readCall(id, f, v)
		}
	}
}

func (x *Index) readCall(id ir.FuncID, f *ir.Func, v ir.ValueID) {
	args := f.ArgsOf(v)[1:]
	made := x.view.Made(id, v)
	for _, m := range made {
		o := Object{id, v, m.Place}
		x.objects = append(x.objects, o)
		for _, s := range x.slotsOf(o) {
			x.makes[s] = append(x.makes[s], o)
		}
	}
	taken := -1
	for _, r := range x.released(id, v) {
		if !r.Held {
			taken = r.Arg
		}
		replaced := slices.ContainsFunc(made, func(m leak.Made) bool {
			return r.Held && m.Place != nil && m.Place.Arg == r.Arg && m.Place.Off == r.Off && !m.Place.Deep
		})
		if r.Arg < len(args) && !replaced && (!r.Held || r.Arg != taken) { // what goes with its owner is not released by itself
			x.releases = append(x.releases, release{r, value{id, v}, f.Callee(v)})
		}
	}
}

// position returns where an instruction is in the source.
func (x *Index) position(at value) source.Position {
	f := &x.p.Funcs[at.fn]
	l := f.Values[at.id].Loc
	if l == 0 {
		return source.Position{File: x.p.Files[f.File], Line: int(f.Line)}
	}
	return source.Position{File: x.p.Files[f.FileOf(l)], Line: int(f.Locs[l].Line), Col: int(f.Locs[l].Col)}
}
