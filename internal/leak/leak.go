// Package leak finds memory that a function allocates and never releases.
//
// It looks at one function at a time. From each call of an allocator it walks
// forward along the paths and keeps, for each, what holds the object: source
// variables, fields of local structs, and values that are still to be used. When
// nothing holds it any more and it was not released, it is lost there; when the
// function ends first, it is forgotten.
//
// Precision comes first. An object that is returned, stored where others may see
// it, turned into an integer, or passed to a function without a model is no longer
// followed on that path: someone else may release it. A path is followed only
// while the branches on it agree with one another, as far as constants,
// intervals and repeated tests tell, so "if (y) p = malloc(n); ... if (y)
// free(p);" is no leak. Two loads of one place are taken to be equal unless the
// function itself may have written it in between.
//
// Ends of the process are no leaks: a call that does not return ends its path,
// and so does the end of main. So does an exception that leaves the function.
//
// Cost: the number of distinct states, bounded for each allocation. Past the bound
// the object is given up and nothing is reported for it.
package leak

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/model"
	"github.com/plumb-project/plumb/internal/report"
)

// A Config says how to search.
type Config struct {
	Jobs   int        // functions looked at in parallel; 0 for one per processor
	Models *model.Set // what library functions do; nil for model.Libc
	States int        // states visited for one allocation before it is given up; 0 for 4000
}

// Find returns the leaks of p in the order of report.Sort.
func Find(ctx context.Context, p *ir.Program, cfg Config) ([]report.Finding, error) {
	if cfg.Jobs <= 0 {
		cfg.Jobs = runtime.GOMAXPROCS(0)
	}
	if cfg.Models == nil {
		cfg.Models = model.Libc()
	}
	if cfg.States <= 0 {
		cfg.States = 4000
	}
	models := modelsOf(p, cfg.Models)
	out := make([][]report.Finding, len(p.Funcs)) // slot i belongs to function i
	var next atomic.Int64
	var wg sync.WaitGroup
	for range cfg.Jobs {
		wg.Go(func() {
			fn := &function{p: p, models: models, states: cfg.States}
			for ctx.Err() == nil {
				id := int(next.Add(1))
				if id >= len(p.Funcs) {
					return
				}
				out[id] = fn.find(ir.FuncID(id))
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var all []report.Finding
	for _, fs := range out {
		all = append(all, fs...)
	}
	report.Sort(all)
	return all, nil
}

// modelsOf returns the model of each function that has one. A function with a
// body is what its body says, whatever its name.
func modelsOf(p *ir.Program, set *model.Set) []*model.Func {
	models := make([]*model.Func, len(p.Funcs))
	for i := 1; i < len(p.Funcs); i++ {
		if p.Funcs[i].IsDecl() {
			models[i] = set.Lookup(p.Funcs[i].Name)
		}
	}
	return models
}
