// This file chooses the objects whose use-flow graphs are wanted: the points of the
// program at which something happens to an object, and the ways between them.

package leak

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/source"
)

// A Watch says whose use-flow graphs are wanted.
type Watch struct {
	Func *regexp.Regexp // functions; nil for all
	Line int            // line of the allocation; 0 for any
}

// maxGraphs bounds how many graphs are shown at a time.
const maxGraphs = 16

// A watch collects the graphs while the program is gone through.
type watch struct {
	Watch
	mu     sync.Mutex
	graphs map[ir.FuncID][]*flow
	sites  map[ir.FuncID][]site // where functions that match allocate
}

// A site is a place that allocates.
type site struct {
	pos source.Position
	by  string
}

func (s site) String() string { return fmt.Sprintf("%s (%s)", s.pos, s.by) }

// wants reports whether a walk is to be recorded. An object may be asked for by the
// line of the call that makes it, and by that of the allocation itself.
func (x *watch) wants(w *walker) bool {
	fn, v := w.fn, w.site
	if x == nil || x.Func != nil && !x.Func.MatchString(fn.f.Name) && !x.Func.MatchString(fn.f.SourceName()) {
		return false
	}
	pos := fn.position(v)
	if x.Line == 0 || x.Line == pos.Line || w.out != nil && x.Line == w.made().pos.Line {
		return true
	}
	sum, _ := fn.callee(v)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.sites[fn.id] = append(x.sites[fn.id], site{pos, sum.name})
	return false
}

// begin forgets what an earlier round saw of a function.
func (x *watch) begin(id ir.FuncID) {
	if x != nil {
		x.mu.Lock()
		delete(x.graphs, id)
		delete(x.sites, id)
		x.mu.Unlock()
	}
}

func (x *watch) add(w *walker) {
	g := w.flow()
	x.mu.Lock()
	x.graphs[w.fn.id] = append(x.graphs[w.fn.id], g)
	x.mu.Unlock()
}

// A flow is the use-flow graph of one object.
type flow struct {
	title string
	file  string  // of the allocation; positions in it are shown without
	spots []*spot // the allocation first, then by distance from it
}

// A spot is a place in the program at which something happens to the object.
type spot struct {
	pos   source.Position
	at    ir.ValueID
	text  string
	holds []string // what holds the object after it, on the paths that come by; sorted
	to    []passage
	id    int

	changes bool // it is no branch
}

// A passage leads from a spot to the next.
type passage struct {
	when string // what holds then, when the spot is a branch
	to   *spot
}

// PrintUseflow draws the use-flow graphs of the objects that are asked for, as
// text or as dot.
func PrintUseflow(ctx context.Context, out io.Writer, p *ir.Program, cfg Config, want Watch, as string) error {
	x := &watch{Watch: want, graphs: map[ir.FuncID][]*flow{}, sites: map[ir.FuncID][]site{}}
	cfg.watch = x
	if _, err := run(ctx, p, cfg); err != nil {
		return err
	}
	var all []*flow
	var sites []site
	for id := ir.FuncID(1); int(id) < len(p.Funcs); id++ {
		all = append(all, x.graphs[id]...)
		sites = append(sites, x.sites[id]...)
	}
	switch {
	case len(all) > maxGraphs:
		return fmt.Errorf("%d objects fit; choose with --func=RE and --line=N, the line of the allocation", len(all))
	case len(all) == 0 && len(sites) == 0:
		return fmt.Errorf("no function that matches %q allocates anything; see plumb dump --phase=summary", want.Func)
	case len(all) == 0:
		return fmt.Errorf("nothing is allocated in line %d; %s", want.Line, elsewhere(sites))
	}
	if as == "dot" {
		return writeDot(out, all)
	}
	for i, g := range all {
		if i > 0 {
			fmt.Fprintln(out)
		}
		if err := g.write(out); err != nil {
			return err
		}
	}
	return nil
}

// elsewhere says where there are allocations.
func elsewhere(sites []site) string {
	slices.SortFunc(sites, func(a, b site) int { return cmp.Or(a.pos.Compare(b.pos), cmp.Compare(a.by, b.by)) })
	sites = slices.Compact(sites)
	const most = 10
	var list []string
	for _, s := range sites[:min(len(sites), most)] {
		list = append(list, s.String())
	}
	if n := len(sites) - most; n > 0 {
		list = append(list, fmt.Sprintf("%d more", n))
	}
	return "there are allocations at " + strings.Join(list, ", ")
}
