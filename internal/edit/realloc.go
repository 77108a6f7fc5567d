// This file keeps the old block when a reallocation fails.

package edit

import (
	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/patch"
)

// Temporary lets a reallocation give its result to a new variable first, so that
// the old block is not lost when it fails:
//
//	p = realloc(p, n);        char *tmp = realloc(p, n);
//	if (!p)                   if (!tmp) {
//		return -1;                free(p);
//	                                  return -1;
//	                          }
//	                          p = tmp;
//
// The assignment n may also be part of the if. Fail is what is to be done with the
// old block; with "" it stays with its variable, if the function leaves then. Where
// no test follows that leaves, one is made.
func Temporary(f *ast.Func, n *ast.Node, typ, name, fail string) ([]patch.Edit, error) {
	if n == nil || n.Kind != "BinaryOperator" || n.Op != "=" || n.Elsewhere {
		return refuse("it is not an assignment")
	}
	lhs := n.Children[0]
	if ownText(f, lhs) != nil || !n.Stmt && ownText(f, n) != nil || n.BeginsInMacro() || n.Stmt && n.Open {
		return refuse(inMacro)
	}
	if !lhs.Pure() {
		return refuse("what is assigned to is not a simple variable")
	}
	if typ == "" {
		var ok bool
		if typ, ok = Spell(f, lhs.Type); !ok || typ == "auto" {
			return refuse("the type of the variable has no name")
		}
	}
	r := &reallocation{f: f, n: n, lhs: f.Source(lhs), typ: typ, name: name, fail: fail}
	if n.Stmt {
		return r.statement()
	}
	return r.condition()
}

// A reallocation is one that Temporary is at.
type reallocation struct {
	f         *ast.Func
	n         *ast.Node // the assignment
	lhs       string    // what it assigns to
	typ, name string
	fail      string
}

// tmp is the new variable.
func (r *reallocation) tmp() []variable {
	rhs := r.n.Children[1]
	return []variable{{typ: r.typ, name: r.name, value: string(r.f.Text.Src[rhs.Begin:rhs.End])}}
}

// test releases the old block when the new variable is null.
func (r *reallocation) test() string { return "if (!" + r.name + ")\n\t" + r.fail }

// statement changes an assignment that is a statement.
func (r *reallocation) statement() ([]patch.Edit, error) {
	list, i := r.n.List()
	l := newLayout(r.f, r.n)
	if r.n.IsBody() || r.n.Parent.IsLabel() || l.needsBlock(r.n) {
		// In a block of its own, so that nothing needs to be known of what follows.
		if r.fail == "" {
			return refuse("nothing is known of the path on which it fails")
		}
		edits, err := surround(r.f, r.n, r.tmp(), []string{r.test()}, "")
		if err != nil {
			return nil, err
		}
		rhs := r.n.Children[1]
		return replace(edits, patch.Edit{File: r.f.File, Start: rhs.Begin, End: rhs.End, New: r.name}), nil
	}
	lhs := r.n.Children[0]
	var edits []patch.Edit
	decl := Declare(r.f, r.typ, r.name)
	if l.declaresFirst(r.n, r.tmp()) {
		var err error
		if edits, err = declareIn(r.f, r.n.EnclosingBlock(), decl+";"); err != nil {
			return nil, err
		}
		decl = r.name
	}
	edits = append(edits, l.put(patch.Edit{Start: lhs.Begin, End: lhs.End, New: decl})...)
	if err := l.guard(r.n, true, true); err != nil {
		return nil, err
	}
	if i+1 < len(list) && list[i+1].Kind == "IfStmt" {
		if check := list[i+1]; r.leaves(check) {
			tested := nullTest(check.Cond())
			if r.f.Source(tested) == r.lhs && ownText(r.f, tested) == nil {
				edits = append(edits, patch.Edit{File: r.f.File, Start: tested.Begin, End: tested.End, New: r.name})
				return r.finish(edits, check)
			}
		}
	}
	if r.fail == "" {
		return refuse("nothing is known of the path on which it fails")
	}
	after, err := After(r.f, r.n, r.test()+"\n"+r.lhs+" = "+r.name+";")
	return append(edits, after...), err
}

// condition changes an assignment inside of the condition of an if.
func (r *reallocation) condition() ([]patch.Edit, error) {
	s := r.n.EnclosingStmt()
	if s == nil || s.Kind != "IfStmt" || !r.n.Within(s.Cond()) {
		return refuse("the assignment is part of a larger statement")
	}
	if err := unconditional(r.n, s); err != nil {
		return nil, err
	}
	part := r.n
	if p := part.Parent; p.Kind == "ParenExpr" && ownText(r.f, p) == nil {
		part = p
	}
	tested := nullTest(s.Cond())
	if r.leaves(s) && tested != nil && tested.Unparen() == r.n {
		edits, err := surround(r.f, s, r.tmp(), nil, "")
		if err != nil {
			return nil, err
		}
		edits = replace(edits, patch.Edit{File: r.f.File, Start: part.Begin, End: part.End, New: r.name})
		return r.finish(edits, s)
	}
	if r.fail == "" {
		return refuse("nothing is known of the path on which it fails")
	}
	edits, err := surround(r.f, s, r.tmp(), []string{r.test(), r.lhs + " = " + r.name + ";"}, "")
	if err != nil {
		return nil, err
	}
	return replace(edits, patch.Edit{File: r.f.File, Start: part.Begin, End: part.End, New: r.lhs}), nil
}

// leaves reports whether an if tests for null, leaves then, and does not look at
// what was assigned to before.
func (r *reallocation) leaves(check *ast.Node) bool {
	if check.Else() != nil || !check.Then().Jumps() || nullTest(check.Cond()) == nil {
		return false
	}
	reads := false
	check.Then().Walk(func(n *ast.Node) bool {
		reads = reads || !n.Stmt && r.f.Source(n) == r.lhs
		return !reads
	})
	return !reads
}

// finish releases the old block where the test leaves, and assigns the new one
// behind it.
func (r *reallocation) finish(edits []patch.Edit, check *ast.Node) ([]patch.Edit, error) {
	if r.fail != "" {
		first := check.Then()
		if first.Kind == "CompoundStmt" {
			first = first.Children[0]
		}
		more, err := Before(r.f, first, r.fail)
		if err != nil {
			return nil, err
		}
		edits = append(edits, more...)
	}
	after, err := After(r.f, check, r.lhs+" = "+r.name+";")
	if err != nil {
		return nil, err
	}
	return join(append(edits, after...)...), nil
}

// nullTest returns what an expression tests for being null: p of !p and p == NULL.
func nullTest(c *ast.Node) *ast.Node {
	if c == nil {
		return nil
	}
	c = c.Unparen()
	switch {
	case c.Kind == "UnaryOperator" && c.Op == "!":
		return c.Children[0]
	case c.Kind == "BinaryOperator" && c.Op == "==" && c.Children[1].IsNull():
		return c.Children[0]
	case c.Kind == "BinaryOperator" && c.Op == "==" && c.Children[0].IsNull():
		return c.Children[1]
	}
	return nil
}
