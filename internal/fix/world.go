// This file says what fix must be able to ask of the program.

package fix

import (
	"context"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/model"
	"github.com/plumb-project/plumb/internal/patch"
	"github.com/plumb-project/plumb/internal/report"
)

// A World is the program and what can be asked of it.
type World interface {
	// Base is the program as it is.
	Base() *View
	// Look is the program as a patch makes it; nothing is written. The error says
	// that it could not be looked at, and not that it is wrong.
	Look(ctx context.Context, p *patch.Patch) (*View, error)
	// Read gives the contents of a file as they were compiled.
	Read(file string) ([]byte, error)
	// Command says how the unit of a function is compiled.
	Command(f ir.FuncID) (ast.Command, error)
	// Editable says why a file must not be changed; nil if it may.
	Editable(file string) error
}

// A View is what is known of one version of the program.
type View struct {
	Program  *ir.Program
	Leak     *leak.Result
	Models   *model.Set       // what is known of library functions; nil for what plumb knows by itself
	Findings []report.Finding // all there are, of every kind and confidence
	Errors   []string         // of the compiler: all the rest is then missing; nil if it compiles
	Warnings []string         // of the compiler, those that the program as it is does not have
}
