// This file shows what phases made.

package driver

import (
	"context"
	"fmt"
	"io"
	"regexp"

	"github.com/plumb-project/plumb/internal/callgraph"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/modref"
	"github.com/plumb-project/plumb/internal/own"
	"github.com/plumb-project/plumb/internal/prove"
	"github.com/plumb-project/plumb/internal/solve"
)

// DumpConfig says what to show of a program.
type DumpConfig struct {
	Phase  string         // see DumpPhases
	Func   *regexp.Regexp // functions to show, by linkage or source name; nil for all
	Line   int            // line of the allocation, for useflow; 0 for any
	As     string         // text or dot
	Models []string       // model files, for summaries
	Policy Policy         // likewise
}

// A DumpPhase is something that can be shown.
type DumpPhase struct {
	Name string
	Help string
	As   []string // forms it has, the default first
	dump func(io.Writer, *ir.Program, DumpConfig) error
}

// DumpPhases lists what Dump can show.
var DumpPhases = []DumpPhase{
	{"ir", "the program in SSA form", []string{"text"}, dumpIR},
	{"callgraph", "who calls whom, and the components of that", []string{"text", "dot"}, dumpCallgraph},
	{"modref", "which memory each function may write, and those it calls", []string{"text"}, dumpModref},
	{"summary", "what each function does with memory it is given, and what it makes", []string{"text"}, dumpSummaries},
	{"useflow", "how one object travels; choose it with --func and --line", []string{"text", "dot"}, dumpUseflow},
	{"own", "how objects are released, as far as the program shows it", []string{"text"}, dumpOwners},
	{"prove", "what became of each candidate, with the conditions of the path that was found", []string{"text"}, dumpProofs},
}

// Dump writes a form of p.
func Dump(w io.Writer, p *ir.Program, cfg DumpConfig) error {
	for _, ph := range DumpPhases {
		if ph.Name == cfg.Phase {
			return ph.dump(w, p, cfg)
		}
	}
	return fmt.Errorf("no phase named %q", cfg.Phase)
}

// dumpIR prints the whole program, or the functions asked for.
func dumpIR(w io.Writer, p *ir.Program, cfg DumpConfig) error {
	if cfg.Func == nil {
		return ir.Print(w, p)
	}
	n := 0
	for id := 1; id < len(p.Funcs); id++ {
		f := &p.Funcs[id]
		if f.IsDecl() || !cfg.matches(f) {
			continue
		}
		n++
		if err := ir.PrintFunc(w, p, ir.FuncID(id)); err != nil {
			return err
		}
	}
	if n == 0 {
		return fmt.Errorf("no function with a body matches %q", cfg.Func)
	}
	return nil
}

// dumpCallgraph prints the call graph.
func dumpCallgraph(w io.Writer, p *ir.Program, cfg DumpConfig) error {
	models, err := Models(cfg.Models)
	if err != nil {
		return err
	}
	g := callgraph.Build(p, models)
	if cfg.As == "dot" {
		return g.Dot(w, cfg.Func)
	}
	return g.Print(w, cfg.Func)
}

// dumpModref prints what functions write.
func dumpModref(w io.Writer, p *ir.Program, cfg DumpConfig) error {
	models, err := Models(cfg.Models)
	if err != nil {
		return err
	}
	return modref.Build(p, callgraph.Build(p, models), models).Print(w, cfg.Func)
}

// dumpSummaries prints what the check knows of functions.
func dumpSummaries(w io.Writer, p *ir.Program, cfg DumpConfig) error {
	models, err := Models(cfg.Models)
	if err != nil {
		return err
	}
	return leak.PrintSummaries(context.Background(), w, p, leak.Config{Models: models, Policy: cfg.Policy}, cfg.Func)
}

// dumpUseflow draws what the check does with the objects asked for.
func dumpUseflow(w io.Writer, p *ir.Program, cfg DumpConfig) error {
	models, err := Models(cfg.Models)
	if err != nil {
		return err
	}
	want := leak.Watch{Func: cfg.Func, Line: cfg.Line}
	return leak.PrintUseflow(context.Background(), w, p, leak.Config{Models: models, Policy: cfg.Policy}, want, cfg.As)
}

// dumpOwners prints how the objects are released that the functions asked for make.
func dumpOwners(w io.Writer, p *ir.Program, cfg DumpConfig) error {
	models, err := Models(cfg.Models)
	if err != nil {
		return err
	}
	res, err := leak.Search(context.Background(), p, leak.Config{Models: models, Policy: cfg.Policy})
	if err != nil {
		return err
	}
	return own.New(p, res, models).Print(w, cfg.Func)
}

// dumpProofs prints what stage two makes of the candidates in the functions asked for.
func dumpProofs(w io.Writer, p *ir.Program, cfg DumpConfig) error {
	models, err := Models(cfg.Models)
	if err != nil {
		return err
	}
	ctx := context.Background()
	res, err := leak.Search(ctx, p, leak.Config{Models: models, Policy: cfg.Policy, Graphs: true})
	if err != nil {
		return err
	}
	solver := solve.New(solve.Config{})
	defer solver.Close()
	_, err = prove.Check(ctx, p, res, prove.Config{Jobs: 1, Models: models, Solver: solver, Trace: func(f *ir.Func, text string) {
		if cfg.matches(f) {
			io.WriteString(w, text)
		}
	}})
	return err
}

// matches reports whether f is asked for.
func (cfg *DumpConfig) matches(f *ir.Func) bool {
	return cfg.Func == nil || cfg.Func.MatchString(f.Name) || f.Display != "" && cfg.Func.MatchString(f.Display)
}
