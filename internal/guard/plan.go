// This file writes guards: all that a guarded fix changes in the source but the
// release itself.

package guard

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/edit"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/patch"
)

// A Planner writes guards for objects of one program.
type Planner struct {
	Program *ir.Program
	Result  *leak.Result
	Tree    func(ir.FuncID) (*ast.Func, error)
	Read    func(file string) ([]byte, error) // the contents of a source

	names   map[string]bool // sites there are
	wrapped map[string]bool // where calls were put around expressions
}

// A Guard is what keeps the record of one object.
type Guard struct {
	Site  string // the variable with the record
	edits []patch.Edit
}

// Release returns the statement that releases what an expression holds if nothing
// else has; release is the call that does it, without a semicolon.
//
//	if (plumb_guard_take(plumb_parse_name, name))
//		free(name);
func (g *Guard) Release(holder, release string) string {
	return fmt.Sprintf("if (plumb_guard_take(%s, %s))\n\t%s;", g.Site, holder, release)
}

// Edits returns what is to be changed besides the release, the header included.
func (g *Guard) Edits() []patch.Edit { return g.edits }

// header adds the header next to the files that include it.
func (w *writer) header() error {
	var seen []string
	for _, file := range w.files {
		name := filepath.Join(filepath.Dir(file), HeaderName)
		if slices.Contains(seen, name) {
			continue
		}
		seen = append(seen, name)
		old, err := w.Read(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			w.g.edits = append(w.g.edits, patch.Edit{File: name, New: string(Header)})
		case err != nil:
			return err
		case string(old) != string(Header):
			return fmt.Errorf("%s is there, and is not the one of this plumb", name)
		}
	}
	return nil
}

// New writes the guard of an object, whose life this is.
func (p *Planner) New(life *leak.Life) (*Guard, error) {
	f, err := p.Tree(life.Func)
	if err != nil {
		return nil, err
	}
	if life.Number {
		return nil, errors.New("a number stands for it, and guards are for pointers")
	}
	w := &writer{Planner: p, f: f, fn: &p.Program.Funcs[life.Func], life: life, g: &Guard{}}
	w.g.Site = p.name(w.siteName())
	for _, step := range []func() error{w.call, w.add, w.removes, w.done} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	w.include(f)
	return w.g, w.header()
}

// A writer writes one guard.
type writer struct {
	*Planner
	f    *ast.Func
	fn   *ir.Func
	life *leak.Life
	g    *Guard

	files []string // that include the header
}

func (w *writer) put(edits []patch.Edit, err error) error {
	w.g.edits = append(w.g.edits, edits...)
	return err
}

// at returns line and column of an instruction.
func (w *writer) at(v ir.ValueID) (line, col int) {
	pos := w.Result.Position(w.life.Func, v)
	return pos.Line, pos.Col
}

// wrap puts a call around an expression.
func (w *writer) wrap(f *ast.Func, n *ast.Node, call string) error {
	if n.Macro || n.Elsewhere {
		return &edit.Refusal{Why: "it is part of a macro"}
	}
	// Equal edits become one, and one bracket would be missing.
	at := fmt.Sprintf("%s:%d", f.File, n.End)
	if w.wrapped[at] {
		return &edit.Refusal{Why: "it is guarded already"}
	}
	if w.wrapped == nil {
		w.Planner.wrapped = map[string]bool{}
	}
	w.wrapped[at] = true
	w.g.edits = append(w.g.edits, patch.Edit{File: f.File, Start: n.Begin, End: n.Begin, New: call},
		patch.Edit{File: f.File, Start: n.End, End: n.End, New: ")"})
	return nil
}

// call declares what stands for this call of the function.
func (w *writer) call() error {
	if w.f.Body.Kind != "CompoundStmt" || len(w.f.Body.Children) == 0 {
		return &edit.Refusal{Why: "the function has no block for a declaration"}
	}
	return w.put(edit.Before(w.f, w.f.Body.Children[0], "PLUMB_GUARD_CALL("+w.g.Site+");"))
}

// add records the object where it is made.
func (w *writer) add() error {
	line, col := w.at(w.life.Site)
	n := w.f.CallAt(line, col, w.calleeName(w.life.Site))
	if n == nil {
		return fmt.Errorf("there is no call in line %d that a guard could be put around", line)
	}
	if w.life.Place == nil && !w.Result.View().At(w.life.Func, w.life.Site).Fresh {
		return fmt.Errorf("what %s returns in line %d is not always new", w.calleeName(w.life.Site), line)
	}
	if w.life.Place == nil && w.wrap(w.f, n, "plumb_guard_add("+w.g.Site+", ") == nil {
		return nil
	}
	return w.record(n)
}

// record adds the object in a statement of its own: the first behind the call at
// which it is sure to be there, and has a name.
func (w *writer) record(n *ast.Node) error {
	crossings := w.life.Crossings()
	for s := n.EnclosingStmt(); s != nil && s != w.f.Body; s = s.Parent {
		if !s.Stmt {
			continue
		}
		list, i := s.List()
		for _, next := range list[i+1:] {
			c, ok := crossings[w.first(next)]
			if !ok || !c.Only(leak.Live) {
				continue
			}
			if name := w.nameIn(c.Holders, next); name != "" {
				return w.put(edit.Before(w.f, next, fmt.Sprintf("(void)plumb_guard_add(%s, %s);", w.g.Site, name)))
			}
		}
	}
	return fmt.Errorf("there is no place behind line %d at which it is sure to be there", n.Line)
}

// first returns the instruction that a statement begins with.
func (w *writer) first(n *ast.Node) ir.ValueID {
	for v := w.fn.Blocks[1].First; int(v) < len(w.fn.Values); v++ {
		if w.fn.Values[v].Loc == 0 || w.fn.Values[v].Op == ir.OpPhi {
			continue
		}
		if off, ok := w.f.Text.Offset(w.at(v)); ok && n.Contains(off) {
			return v
		}
	}
	return 0
}

// nameIn returns a name for the object.
func (w *writer) nameIn(holders []leak.Holder, _ *ast.Node) string {
	for _, h := range holders {
		if h.Name != "" && !h.Inside && !h.Many {
			return h.Name
		}
	}
	return ""
}

// removes takes the object from the record where it is released, and where others
// get it.
func (w *writer) removes() error {
	type key struct {
		by  ir.ValueID
		arg int
	}
	var seen []key
	for i := range w.life.Points {
		p := &w.life.Points[i]
		k := key{p.By, p.Arg}
		if p.Status != leak.Released && p.Status != leak.Kept || slices.Contains(seen, k) {
			continue
		}
		seen = append(seen, k)
		if err := w.remove(p.By, p.Arg); err != nil {
			return err
		}
	}
	return nil
}

// remove takes the object from the record before an instruction.
func (w *writer) remove(by ir.ValueID, arg int) error {
	if by == 0 {
		return errors.New("others may get it in a way that is not seen")
	}
	line, col := w.at(by)
	names := w.namesBefore(by)
	if n := w.f.CallAt(line, col, w.calleeName(by)); n != nil && w.fn.Values[by].Op.IsCall() {
		for i, a := range n.Args() {
			if arg >= 0 && i != arg || !slices.Contains(names, w.f.Source(uncast(a))) {
				continue
			}
			if w.wrap(w.f, a, "plumb_guard_remove("+w.g.Site+", ") == nil {
				return nil
			}
		}
	}
	s := w.f.StmtAt(line, col)
	if s == nil || len(names) == 0 {
		return fmt.Errorf("it may be released or kept in line %d, and there is no name for it", line)
	}
	return w.put(edit.Before(w.f, s, fmt.Sprintf("(void)plumb_guard_remove(%s, %s);", w.g.Site, names[0])))
}

// namesBefore lists how the object can be written right before an instruction.
func (w *writer) namesBefore(v ir.ValueID) []string {
	var out []string
	first := true
	for i := range w.life.Points {
		p := &w.life.Points[i]
		if p.At != v || p.Status != leak.Live || p.End != nil {
			continue
		}
		var names []string
		for _, h := range p.Holders {
			if h.Name != "" && !h.Inside && !h.Many {
				names = append(names, h.Name)
			}
		}
		if first {
			out, first = names, false
		} else {
			out = slices.DeleteFunc(out, func(n string) bool { return !slices.Contains(names, n) })
		}
	}
	return out
}

// done closes the record where the caller gets the object: it is released elsewhere,
// and nobody would tell.
func (w *writer) done() error {
	var seen []*ast.Node
	for i := range w.life.Points {
		e := w.life.Points[i].End
		if e == nil || e.Kind != leak.EndReturned && e.Kind != leak.EndLeft && e.Kind != leak.EndOwned {
			continue
		}
		line, col := w.at(e.At)
		s := w.f.StmtAt(line, col)
		if s == nil {
			return fmt.Errorf("there is no statement in line %d", line)
		}
		if slices.Contains(seen, s) {
			continue
		}
		seen = append(seen, s)
		text := "plumb_guard_done(" + w.g.Site + ");"
		var err error
		if s == w.f.Body {
			err = w.put(edit.AtEndOf(w.f, s, text))
		} else {
			err = w.put(edit.Before(w.f, s, text))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// calleeName is how the source writes what a call calls; "" for any.
func (w *writer) calleeName(v ir.ValueID) string {
	id := w.fn.Callee(v)
	if id == 0 {
		return ""
	}
	name := w.Program.Funcs[id].SourceName()
	if w.f.Unit.CXX && w.Program.Funcs[id].IsDecl() {
		name = cmp.Or(w.Result.View().At(w.life.Func, v).Name, name) // operators have their names from models
	}
	if i := strings.LastIndex(name, "::"); i >= 0 {
		name = name[i+2:]
	}
	switch {
	case strings.HasPrefix(name, "operator new"):
		return "new"
	case strings.HasPrefix(name, "operator delete"):
		return "delete"
	}
	name, _, _ = strings.Cut(name, "<")
	return name
}

// uncast returns what is inside of casts and parentheses.
func uncast(n *ast.Node) *ast.Node {
	for n = n.Unparen(); strings.HasSuffix(n.Kind, "CastExpr") && len(n.Children) == 1; {
		n = n.Children[0].Unparen()
	}
	return n
}
