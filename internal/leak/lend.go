// This file prepares functions for those who ask of single ones when the search is over.

package leak

import (
	"sync"

	"github.com/plumb-project/plumb/internal/ir"
)

// A lender keeps functions that were prepared, for who asks again.
type lender struct {
	mu  sync.Mutex
	fns map[borrowed]*lent
}

type borrowed struct {
	f      ir.FuncID
	strict bool
}

type lent struct {
	mu sync.Mutex
	fn *function
}

// maxLent bounds how many functions are kept.
const maxLent = 64

// borrow returns function f, prepared, for the caller alone until it is done.
func (r *Result) borrow(f ir.FuncID) (fn *function, done func()) { return r.lend(borrowed{f, false}) }

// borrowStrict is borrow for who must not be wrong: see function.strict.
func (r *Result) borrowStrict(f ir.FuncID) (fn *function, done func()) {
	return r.lend(borrowed{f, true})
}

func (r *Result) lend(b borrowed) (fn *function, done func()) {
	r.lender.mu.Lock()
	l := r.lender.fns[b]
	if l == nil {
		if r.lender.fns == nil || len(r.lender.fns) >= maxLent {
			r.lender.fns = map[borrowed]*lent{}
		}
		l = &lent{}
		r.lender.fns[b] = l
	}
	r.lender.mu.Unlock()
	l.mu.Lock()
	if l.fn == nil {
		fn := r.e.function()
		fn.begin(b.f, b.strict)
		l.fn = fn
	}
	return l.fn, l.mu.Unlock
}

// begin prepares function f for walks of its objects alone.
func (fn *function) begin(f ir.FuncID, strict bool) {
	fn.id, fn.f, fn.strict, fn.indirect = f, &fn.p.Funcs[f], strict, map[ir.ValueID]*summary{}
	fn.watch, fn.wantGraphs, fn.allPaths = nil, false, false
	fn.findLast()
	fn.prepare()
	fn.findEmptied()
}
