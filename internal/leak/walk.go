// This file walks the paths of one object from its allocation to its end.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/report"
)

// A walker follows one object: that of an allocation, or one the function is
// given.
type walker struct {
	fn    *function
	site  ir.ValueID // the call that makes it; 0 for an object that is given
	out   *out       // where the call leaves it, when it is not the result
	given bool       // the caller has it: it cannot be lost here
	param ir.ValueID // the parameter that points to it, when it is an argument itself
	home  cell       // or the place it is given in
	in    cell       // and the place that holds the owner of that, when it is no parameter
	prey  *prey      // what is followed past its release, instead

	number bool // what stands for the object is a number

	ready bits // blocks from which a release of it is reached

	toCaller bool // it may be left with the caller, who knows what it passes
	limit    int  // states
	early    int  // states before the allocation, of which a quarter as many are allowed

	leads    bits              // blocks from which the allocation is reached
	queue    []*state          // first in, first out, so that the first story is a short one
	seen     map[string]*trail // by key: where its trail begins, in a walk that is recorded
	buf      []byte
	contents []cell // owners that no value stands for, by number
	found    []report.Finding
	lost     []*loss           // what report was told, when all paths are wanted
	rec      *recording        // nil when nobody wants to see the walk
	graph    *grapher          // nil when nobody wants its graph
	life     *lifer            // nil unless the object is followed past its release
	over     bool              // the budget is spent
	joints   map[string]*joint // by point and holders, when what is known is joined
	visits   int               // in a walk with joints
	points   map[stop]*tally   // how many states, by point; for those who count

	atReturn func(s *state, val ir.ValueID) // told of each return, when not nil

	ends     []outcome // what becomes of a given object
	outs     []out     // where a new one is at returns
	returned bool      // a new one is returned, and nobody else has it
	newIf    []guard   // and what the parameters are then
	shared   bool      // it is returned, but someone else has it too
	escaped  bool      // a new one gets where it cannot be followed
}

// walk returns what becomes of the object allocated at site.
//
// It starts at the entry of the function, so that what is known at the
// allocation is known on each path to it. Where these are too many, it starts at
// the allocation, with what holds on all of them.
func (fn *function) walk(site ir.ValueID, o *out) *walker {
	w := fn.newWalker(site, o)
	w.startRecording()
	if s := w.explore(); s != nil && w.over && !w.joined(s) {
		fn.givenUp++
		fn.giveUp(report.TooManyStates, site)
		w.outs, w.returned = nil, false
	}
	fn.objects++
	if w.escaped {
		w.outs = slices.DeleteFunc(w.outs, func(o out) bool { return o.to.param >= 0 && fn.testsOwn(ir.ValueID(o.to.param+1)) })
	}
	w.stopRecording()
	if fn.policy.EscapeOnce && (w.escaped || len(w.outs) > 0) {
		w.found = nil
	}
	return w
}

// newWalker returns a walker for the object allocated at site.
func (fn *function) newWalker(site ir.ValueID, o *out) *walker {
	w := &walker{fn: fn, site: site, out: o, limit: fn.states, leads: make(bits, len(fn.f.Blocks)/64+1)}
	w.number = fn.isNumber(site, o)
	w.toCaller = fn.mayMake(site, o)
	block := uint32(fn.f.BlockOf(site))
	w.leads.add(block)
	fn.back(w.leads, []uint32{block}, 0)
	return w
}

// explore walks all paths. Where those before the allocation are too many, it
// starts there, and returns the state it started with.
func (w *walker) explore() *state {
	w.from(&state{before: true, block: 1, at: w.fn.f.Blocks[1].First})
	if !w.over {
		w.counted()
		return nil
	}
	s, ok := w.fromAllocation()
	if !ok {
		w.over = false
		return nil
	}
	clear(w.leads)
	w.from(s.clone())
	w.counted()
	return s
}

// mayMake reports whether the object of a site may be left with the caller.
func (fn *function) mayMake(site ir.ValueID, o *out) bool {
	f := fn.f
	isParam := func(v ir.ValueID) bool {
		op := f.Values[fn.baseOf(v)].Op
		return op == ir.OpParam || op == ir.OpGlobalAddr || op.IsCall()
	}
	if fn.mayReturn(site) {
		return true
	}
	if o != nil {
		return o.to.param >= 0 && o.to.param+1 < len(f.ArgsOf(site)) && isParam(f.ArgsOf(site)[o.to.param+1])
	}
	for _, u := range fn.uses.Succs(uint32(site)) {
		u := ir.ValueID(u)
		if f.Values[u].Op == ir.OpStore && f.ArgsOf(u)[0] == site && isParam(f.ArgsOf(u)[1]) || fn.storedBy(u, site) {
			return true
		}
	}
	return false
}

// storedBy reports whether call u may store v, which it is given, where its caller finds it.
func (fn *function) storedBy(u, v ir.ValueID) bool {
	sum, _ := fn.callee(u)
	if sum == nil {
		return false
	}
	i := slices.Index(fn.f.ArgsOf(u)[1:], v)
	return i >= 0 && slices.ContainsFunc(sum.param(i), func(o outcome) bool { return o.effect == stores })
}

// from walks all paths that start like this.
func (w *walker) from(starts ...*state) {
	w.early = 0
	w.seen, w.queue, w.found, w.over = map[string]*trail{}, nil, nil, false
	w.ends, w.outs, w.returned, w.shared, w.escaped = nil, nil, false, false, false
	w.resetRecording()
	if w.graph != nil {
		w.graph.reset()
	}
	if w.life != nil {
		w.life.reset()
	}
	clear(w.points)
	for _, s := range starts {
		w.push(s)
	}
	for i := 0; i < len(w.queue) && !w.over; i++ {
		s := w.queue[i]
		w.queue[i] = nil
		w.run(s)
	}
}

// start gives s the object that the walk is about.
func (w *walker) start(s *state) {
	switch {
	case w.prey != nil:
		w.begin(s)
	case w.life != nil && w.life.check != nil && w.life.origin.kind != fresh:
		w.startAt(s)
	default:
		w.allocate(s)
	}
}

// allocate gives s the object that its next instruction, the allocation, makes.
func (w *walker) allocate(s *state) {
	s.before, s.trail, s.at = false, nil, w.site+1
	w.forgetMemory(s, w.site)
	s.env.keep(func(v ir.ValueID) bool { return v != w.fn.rep[w.site] })
	if w.out == nil {
		sum, _ := w.fn.callee(w.site)
		if sum.partly && !w.isGiven(s, sum) || !w.meets(s, sum.newIf) {
			return
		}
		s.vals = []ir.ValueID{w.site}
	} else {
		c, ok := w.placeCell(s, w.site, w.out.to)
		ok = ok && w.meets(s, w.out.guards)
		if !ok || w.fn.f.Values[w.site].Type.Kind() != ir.Void && !w.narrow(s, w.site, w.out.ret, 0) {
			return
		}
		s.cells = []cell{c}
		for _, p := range w.out.also {
			c, ok := w.placeCell(s, w.site, p)
			if !ok {
				return // someone we do not see has it too
			}
			s.setCell(c, true)
		}
		if c.base < contentBit {
			s.env.setFact(c.base, nonzero)
		}
		if w.out.both {
			s.vals = []ir.ValueID{w.site}
		}
	}
	w.recordPoint(s, w.site, w.originText())
	if w.fn.f.Values[w.site].Op != ir.OpCall {
		w.edge(s, 0) // the result of an invoke is there on its first edge
	} else {
		w.loseAfter(s, w.site)
		w.push(s)
	}
}

// meets reports whether the arguments of the allocation can be like this, and
// notes that they are.
func (w *walker) meets(s *state, guards []guard) bool {
	args := w.fn.f.ArgsOf(w.site)[1:]
	for _, g := range guards {
		if g.param < len(args) && !w.narrow(s, args[g.param], g.r, 0) {
			return false
		}
	}
	return true
}

// assumeDominators notes what the branches say that lead to the allocation on every path.
func (w *walker) assumeDominators(s *state) bool {
	fn := w.fn
	for b := uint32(s.block); ; {
		d := fn.dom.Idom[b]
		if d == ^uint32(0) {
			return true
		}
		// The edge from d to b counts if it is the only way into b.
		if preds := fn.pred.Succs(b); len(preds) == 1 {
			if !w.assumeEdge(s, ir.BlockID(d), ir.BlockID(b), 0) {
				return false
			}
		}
		b = d
	}
}

// push adds a state to the queue unless it was there before.
func (w *walker) push(s *state) {
	if w.joints != nil {
		if !w.join(s) {
			return
		}
		if w.visits++; w.visits > 2*w.limit {
			w.over = true
			return
		}
		w.queue = append(w.queue, s)
		return
	}
	w.buf = s.key(w.buf[:0])
	if w.graph != nil {
		w.graph.arrive(s, w.buf)
	}
	if w.life != nil {
		w.life.arrive(s, w.buf)
	}
	if first, ok := w.seen[string(w.buf)]; ok {
		first.join(s.trail)
		return
	}
	w.seen[string(w.buf)] = w.recordJoin(s)
	if w.fn.counts != nil && !s.before {
		w.count(s)
	}
	if s.before {
		w.early++
	}
	if len(w.seen) > w.limit || w.early > w.limit/4 {
		w.over = true
		return
	}
	w.queue = append(w.queue, s)
}

// run follows a path to the end of its block.
func (w *walker) run(s *state) {
	f := w.fn.f
	end := f.Blocks[s.block].End
	s.came = arrival{from: s.came.node, trail: s.trail}
	for v := s.at; v < end; v++ {
		if w.life != nil {
			w.life.pass(s, v)
		}
		s.at = v + 1
		if s.before && v == w.site {
			w.start(s.clone())
		}
		was := w.holders(s)
		if f.Values[v].Op.IsTerminator() && !f.Values[v].Op.IsCall() {
			w.terminate(s, v)
			return
		}
		on := w.inst(s, v)
		w.recordInst(s, v, was)
		if !on {
			return
		}
		if f.Values[v].Op.IsTerminator() {
			for i := range f.SuccsOf(s.block) {
				w.edge(s.clone(), i)
			}
			return
		}
		w.loseAfter(s, v)
	}
}

// inst follows the object through one instruction. It reports whether the path
// goes on with it.
func (w *walker) inst(s *state, v ir.ValueID) bool {
	if w.prey != nil && !s.before {
		return w.watch(s, v)
	}
	if is, on := w.parts(s, v); is {
		return on
	}
	f := w.fn.f
	x := &f.Values[v]
	args := f.ArgsOf(v)
	if w.fn.strict && len(s.mem) > 0 {
		w.forgetStrictly(s, v)
	}
	switch x.Op {
	case ir.OpSet:
		if s.setVar(x.Var, s.holdsValue(args[0])) {
			s.held(f.Vars[x.Var].Name)
		}
		return true
	case ir.OpLoad:
		c, ok := w.cellOf(s, args[0])
		if ok && !w.carries(x.Type) && x.Type.Kind() == ir.Int && x.Type.Bytes() >= 8 && slices.Contains(s.cells, c) && !w.escape(s) {
			return false // all its bits are a number now, as for atomic_exchange
		}
		w.loaded(s, v, c, ok && w.carries(x.Type))
		if x.Type.Kind() == ir.Ptr {
			w.pointsTo(s, v, c, ok)
		}
		w.recall(s, v, args[0])
		return w.dereferenced(s, args[0])
	case ir.OpStore:
		w.refer(s, v)
		return w.store(s, args[0], args[1])
	case ir.OpMemset:
		return w.memset(s, v)
	case ir.OpGep, ir.OpBitcast, ir.OpFreeze:
		s.setValue(v, s.holdsValue(args[0]))
		return !slices.ContainsFunc(args[1:], s.holdsValue) || w.escape(s)
	case ir.OpSelect:
		return w.choose(s, v)
	case ir.OpMemcpy:
		return w.memcpy(s, v)
	case ir.OpICmp, ir.OpLifetimeStart, ir.OpLifetimeEnd:
		return true
	case ir.OpCall, ir.OpInvoke, ir.OpCallBr:
		return w.call(s, v)
	}
	if w.number {
		return w.calculate(s, v)
	}
	s.setValue(v, false)
	if x.Op == ir.OpPtrToInt && s.holdsValue(args[0]) && w.onlyMeasured(s, v) {
		return true
	}
	return !slices.ContainsFunc(args, s.holdsValue) || w.escape(s) // anything else may hide it
}

// loaded notes whether a pointer that is loaded from a cell points to the object.
func (w *walker) loaded(s *state, v ir.ValueID, c cell, ok bool) {
	holds := ok && slices.Contains(s.cells, c)
	perhaps := ok && (holds && c.isElement() || !holds && s.mayHold(c))
	if perhaps && w.fn.tested[w.fn.rep[v]] { // or to another element, or none
		other := s.clone()
		other.setValue(v, false)
		w.push(other)
	}
	s.setValue(v, holds || perhaps)
}

// escape is called when the object gets where it cannot be followed. It reports
// whether the path goes on: for a given object, to learn what is returned then;
// for a new one, to learn whether it is returned as well.
func (w *walker) escape(s *state) bool {
	if w.given {
		s.gone(keeps)
		return true
	}
	if w.life != nil {
		w.life.escapes(s)
		s.setStatus(Kept, s.at-1)
		return true
	}
	s.end, w.escaped = keeps, true
	return w.out == nil && w.fn.mayReturn(w.site)
}

// release is called when the object is released, and says the same.
func (w *walker) release(s *state, v ir.ValueID, in *where, sure bool) bool {
	if w.life != nil {
		w.life.released(s, v)
		s.setStatus(Released, v)
		return true
	}
	if w.given {
		s.counted = s.refs < 0
		s.where = w.within(v, in)
		if in == nil {
			s.where = w.here(v, dropped, "", "")
		}
		s.gone(consumes)
		s.sure = sure
	}
	return w.given
}

// choose follows a select: both ways unless its condition is known.
func (w *walker) choose(s *state, v ir.ValueID) bool {
	args := w.fn.f.ArgsOf(v)
	yes, no := s.holdsValue(args[1]), s.holdsValue(args[2])
	if yes == no {
		s.setValue(v, yes)
		return true
	}
	other := s.clone()
	other.setValue(v, no)
	w.tookArm(other, v, false)
	w.tookArm(s, v, true)
	if w.assume(other, args[0], false, 0) {
		w.loseAfter(other, v)
		w.push(other)
	}
	s.setValue(v, yes)
	return w.assume(s, args[0], true, 0)
}

// loseAfter notes when nothing holds the object after instruction v.
func (w *walker) loseAfter(s *state, v ir.ValueID) {
	w.dropParts(s, func(p ir.ValueID) bool { return w.fn.liveAfter(p, v, s.block) })
	unlinks := w.param != 0 && w.fn.f.Values[v].Op == ir.OpStore // an argument that was in a list
	if s.before || w.given && !w.left(s) && !unlinks || s.end != 0 || s.life.status != Live || len(s.vars) > 0 || len(s.cells) > 0 {
		return
	}
	for _, a := range s.vals {
		if w.fn.liveAfter(a, v, s.block) {
			return
		}
	}
	text := w.lostText(s, v) // which may forget who held it
	w.lose(s, dropped, v, text)
}

// lose notes that nothing holds the object any more.
func (w *walker) lose(s *state, e event, at ir.ValueID, text string) {
	switch {
	case w.given && s.where != nil:
	case s.static && w.doubtful(s):
		s.gone(keeps)
	case w.given:
		if s.where = w.within(at, s.in); s.where == nil {
			s.where = w.here(at, e, s.last, text)
		}
	case s.in == nil && s.unlinked != nil && s.unlinkedAt < at && w.fn.f.BlockOf(s.unlinkedAt) == w.fn.f.BlockOf(at):
		s.in = s.unlinked // the caller does with the result what it should
		s.lose(e, s.unlinkedAt, text)
	default:
		s.lose(e, at, text)
	}
}

func (w *walker) lostText(s *state, v ir.ValueID) string {
	switch op := w.fn.f.Values[v].Op; {
	case s.how != "" && op.IsCall() && s.last != "":
		return s.last + " " + s.how
	case v == w.site:
		s.last = ""
		return "the result is not used"
	case (op == ir.OpSet || op == ir.OpStore || op == ir.OpMemset || op == ir.OpMemcpy) && s.last != "":
		return s.last + " is overwritten"
	}
	s.last = ""
	return "the last reference goes away"
}
