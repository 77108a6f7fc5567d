// This file shows that a release is safe: on every path that comes by it, what it
// releases is null or an object that the function has, that nobody else has, and that
// nobody uses afterwards. It is for releases that were put into the program; so,
// other than in the check for leaks, doubt counts against them.

package leak

import (
	"fmt"
	"maps"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/source"
)

// Unsafe says what stands against a release.
type Unsafe struct {
	At   source.Position // where that shows; the release itself when it is nowhere else
	Text string
}

func (e *Unsafe) Error() string { return e.Text }

// Uninitialised says that a release would release what is in a variable that was
// never set.
type Uninitialised struct {
	Name string // of the variable or field
	Var  ir.VarID
}

func (e *Uninitialised) Error() string { return e.Name + " may be uninitialised here" }

// NotLocal says that a release is of what memory holds that others see: whether
// anybody else has it cannot be seen from the function alone. All that can be holds.
type NotLocal struct {
	Name   string
	Global ir.GlobalID // the global, or
	Field  ir.Step     // the field; zero when neither is known
	Off    int64       // bytes into the global
}

func (e *NotLocal) Error() string { return "others may see " + e.Name }

// CheckRelease returns nil if the call in function f that releases what it is given
// is shown to be safe on every path, and otherwise what stands against it: an *Unsafe,
// *Uninitialised or *NotLocal.
//
// What the function does itself is followed strictly. What functions do that it calls
// is taken from their summaries: a function that is known to look at an object only
// does not keep it, and a releaser of the program knows what its objects hold, but for
// what this function puts there.
func (r *Result) CheckRelease(f ir.FuncID, call ir.ValueID) error {
	fn, done := r.borrowStrict(f)
	defer done()
	c := &checker{fn: fn, call: call}
	c.run()
	fn.gaveUp = nil
	return c.err
}

// A checker looks for what stands against one release.
type checker struct {
	fn      *function
	call    ir.ValueID
	sum     *summary
	memory  bool                // what is released was read from memory
	nullToo bool                // null must not be released either
	traced  map[ir.ValueID]bool // what trace has seen
	cells   map[cell]bool
	seen    map[origin]bool
	same    map[ir.ValueID]bool // values that may be what is released; nil until asked
	fields  []int64             // of what is released: those that must not be null
	reading map[ir.ValueID]bool // loads that are there for the release alone
	work    []origin
	err     error
}

// An origin is one thing that may be released: what a call makes, what a value is, or
// what is in a cell that was never written.
type origin struct {
	site ir.ValueID // the call that makes it, or the value
	out  *out       // and where it leaves it
	cell cell       // memory that holds garbage or null, from site on or from the entry
	when interval   // what the call at site returns then; everything when it is zero
	arg  int        // or what this argument of it is, from 1
	kind originKind
}

type originKind uint8

const (
	fresh   originKind = iota + 1 // an object that is made here
	wrong                         // a value that must not be released
	unset                         // garbage
	foreign                       // what memory holds that others see
	missing                       // null, which must not be released either
)

// maxOrigins bounds what may be released by one call.
const maxOrigins = 48

// refuse notes what stands against the release, unless something did before. That it is
// not local is said last.
func (c *checker) refuse(err error) {
	_, weak := c.err.(*NotLocal)
	if c.err == nil || weak {
		c.err = err
	}
}

func (c *checker) unsafe(at ir.ValueID, format string, args ...any) {
	c.refuse(&Unsafe{c.fn.position(at), fmt.Sprintf(format, args...)})
}

// done reports whether there is no need to look further.
func (c *checker) done() bool {
	_, weak := c.err.(*NotLocal)
	return c.err != nil && !weak
}

func (c *checker) run() {
	fn, f := c.fn, c.fn.f
	if !f.Values[c.call].Op.IsCall() {
		c.unsafe(c.call, "there is no call")
		return
	}
	if fn.jumps() != 0 {
		c.unsafe(c.call, "the function is a target of long jumps")
		return
	}
	sum, flags := fn.callee(c.call)
	if sum == nil || fn.noReturn(c.call, sum, flags) || sum.fresh {
		c.unsafe(c.call, "%s is not known to release what it is given", fn.nameOf(c.call))
		return
	}
	c.sum, c.seen, c.traced, c.cells = sum, map[origin]bool{}, map[ir.ValueID]bool{}, map[cell]bool{}
	c.origins()
	c.remembered()
	for i := 0; i < len(c.work) && !c.done(); i++ {
		if i >= maxOrigins {
			c.unsafe(c.call, "too many things may be released here")
			return
		}
		c.follow(c.work[i])
	}
}

// origins finds what may be released.
func (c *checker) origins() {
	fn, f := c.fn, c.fn.f
	takes := func(o outcome) bool { return o.effect == consumes }
	found := false
	for i, a := range f.ArgsOf(c.call)[1:] {
		if !slices.ContainsFunc(c.sum.param(i), takes) {
			continue
		}
		found = true
		if f.Values[a].Type.Kind() != ir.Ptr {
			c.unsafe(c.call, "what is released is a number")
			return
		}
		c.nullToo = !c.takesNull(i)
		c.trace(a)
		c.nullToo = false
		c.owners(a)
		if c.sum.inferred {
			c.contents(i, a)
		}
		if c.isDeep(i) {
			c.derived(i, a)
		}
	}
	for _, p := range slices.SortedFunc(maps.Keys(c.sum.places), comparePlaces) {
		list := c.sum.places[p]
		if p.param < 0 || p.param >= len(f.ArgsOf(c.call))-1 || !slices.ContainsFunc(list, takes) || slices.ContainsFunc(c.sum.param(p.param), takes) {
			continue
		}
		found = true
		a := f.ArgsOf(c.call)[1+p.param]
		_, off, ok := fn.address(a)
		owners, local := c.roots(a)
		if !ok || !local || p.deep != 0 || p.off >= inside {
			c.unsafe(c.call, "%s releases more than can be seen here", c.sum.name)
			return
		}
		for _, o := range owners {
			c.traceCell(o, off+p.off)
		}
	}
	if !found {
		c.unsafe(c.call, "%s is not known to release what it is given", c.sum.name)
	}
}

// add notes one more origin.
func (c *checker) add(o origin) {
	if !c.seen[o] {
		c.seen[o] = true
		c.work = append(c.work, o)
	}
}

// follow walks what may be released, along all paths.
func (c *checker) follow(o origin) {
	w := c.walker(o)
	var start *state                                    // for another round, with what is known joined where paths meet
	if o.kind != fresh && c.fn.f.BlockOf(o.site) == 0 { // a constant or a parameter, or garbage in a variable
		start = &state{block: 1, at: c.fn.f.Blocks[1].First}
		w.give(start)
		w.from(start.clone())
	} else {
		start = w.explore()
	}
	if w.over && !c.done() && start != nil {
		w.joints = map[string]*joint{}
		w.from(start)
	}
	if w.over && !c.done() {
		c.unsafe(c.call, "there are too many paths to be sure")
	}
}

// walker returns a walker for an origin.
func (c *checker) walker(o origin) *walker {
	fn := c.fn
	var w *walker
	if o.kind == fresh {
		w = fn.newWalker(o.site, o.out)
	} else {
		w = &walker{fn: fn, site: o.site, limit: fn.states, leads: make(bits, len(fn.f.Blocks)/64+1)}
		if b := uint32(fn.f.BlockOf(o.site)); b != 0 {
			w.leads.add(b)
			fn.back(w.leads, []uint32{b}, 0)
		}
	}
	w.limit = 3 * fn.states // it is asked for few objects
	w.life = &lifer{w: w, check: c, origin: o}
	return w
}

// give gives s what the walk is about, when that is not made by a call.
func (w *walker) give(s *state) {
	o := w.life.origin
	s.before, s.trail = false, nil
	if o.cell != (cell{}) {
		s.cells = []cell{o.cell}
		return
	}
	s.vals = []ir.ValueID{o.site}
	if x := &w.fn.f.Values[o.site]; x.Op == ir.OpLoad && o.kind == foreign {
		if c, ok := w.fn.spot(w.fn.f.ArgsOf(o.site)[0]); ok {
			s.cells = []cell{c}
		}
	}
}

// isThing reports whether the walk is about a value that was there before, and not
// about an object that is made: what it is equal to is known like that of others.
func (w *walker) isThing() bool {
	return w.life != nil && (w.life.origin.kind == wrong || w.life.origin.kind == missing)
}

// says returns the value that tells whether a call made what is followed.
func (o *origin) says(f *ir.Func) ir.ValueID {
	if o.arg > 0 {
		return f.ArgsOf(o.site)[o.arg]
	}
	return o.site
}

// startAt is allocate for what is not made by a call: it starts after w.site.
func (w *walker) startAt(s *state) {
	f := w.fn.f
	s.at = w.site + 1
	w.give(s)
	if f.Values[w.site].Op.IsCall() {
		w.forgetMemory(s, w.site)
	}
	s.env.keep(func(v ir.ValueID) bool { return v != w.fn.rep[w.site] })
	if o := w.life.origin; o.when != (interval{}) && !w.narrow(s, o.says(w.fn.f), o.when, 0) {
		return
	}
	if f.Values[w.site].Op.IsTerminator() {
		w.edge(s, 0)
	} else {
		w.push(s)
	}
}
