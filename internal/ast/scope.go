// This file says which names mean what where.

package ast

import "strconv"

// Scope returns the local variables and parameters that can be named just before
// a node, innermost first; those that others hide are left out. Before a
// declaration its own variables are not yet there.
func (f *Func) Scope(n *Node) []*Node {
	s := scope{seen: map[string]bool{}}
	s.around(f, n)
	return s.vars
}

// ScopeAtEnd returns the variables that can be named at the end of a block.
func (f *Func) ScopeAtEnd(block *Node) []*Node {
	s := scope{seen: map[string]bool{}}
	s.statements(block.Children)
	s.around(f, block)
	return s.vars
}

// A scope collects variables, from the inside out.
type scope struct {
	vars []*Node
	seen map[string]bool
}

func (s *scope) add(v *Node) {
	if v != nil && (v.Kind == "VarDecl" || v.Kind == "ParmVarDecl") && v.Name != "" && !v.Implicit && !s.seen[v.Name] {
		s.seen[v.Name] = true
		s.vars = append(s.vars, v)
	}
}

// statements adds what the declarations among statements declare, the last first.
// Labels may stand before them.
func (s *scope) statements(list []*Node) {
	for i := len(list) - 1; i >= 0; i-- {
		d := list[i]
		for d != nil && d.IsLabel() {
			d = d.Sub()
		}
		if d != nil && d.Kind == "DeclStmt" {
			for j := len(d.Children) - 1; j >= 0; j-- {
				s.add(d.Children[j])
			}
		}
	}
}

// around adds what is declared before a node and around it.
func (s *scope) around(f *Func, n *Node) {
	for c, p := n, n.Parent; p != nil && c != f.Node; c, p = p, p.Parent {
		before := p.Children[:index(p, c)]
		switch {
		case p.Kind == "DeclStmt": // earlier variables of the same declaration
			for i := len(before) - 1; i >= 0; i-- {
				s.add(before[i])
			}
		case p.Kind == "CXXCatchStmt" || isFunction(p.Kind):
			for _, q := range before {
				s.add(q)
			}
		default: // lists, loops and conditions alike: what stands before
			s.statements(before)
		}
	}
}

// Lookup returns the local variable that a name means just before a node; nil when
// it means none.
func (f *Func) Lookup(n *Node, name string) *Node {
	for _, v := range f.Scope(n) {
		if v.Name == name {
			return v
		}
	}
	return nil
}

// Usable reports whether a variable of the function can be named just before a
// node: it is declared and not hidden.
func (f *Func) Usable(n, v *Node) bool { return f.Lookup(n, v.Name) == v }

// Fresh returns a name for a new variable that is declared before a statement: base,
// or base with a number, such that it occurs nowhere in the function, nor at file
// level as far as is known. For one statement it is always the same; statements of
// one list get different ones, so that changes of both can be made together.
func (f *Func) Fresh(stmt *Node, base string) string {
	key := fresh{stmt, base}
	if name, ok := f.fresh[key]; ok {
		return name
	}
	if f.fresh == nil {
		f.fresh = map[fresh]string{}
		f.used = f.words()
	}
	for i := 1; ; i++ {
		name := base
		if i > 1 {
			name += strconv.Itoa(i)
		}
		if _, ok := f.Unit.decls[name]; ok || f.used[name] || f.given(stmt, name) {
			continue
		}
		f.fresh[key] = name
		return name
	}
}

// A fresh is what a new name was given for.
type fresh struct {
	stmt *Node
	base string
}

// given reports whether a name was given for another statement of the same list.
func (f *Func) given(stmt *Node, name string) bool {
	for k, n := range f.fresh {
		if n == name && k.stmt != stmt && (stmt == nil || k.stmt == nil || home(k.stmt) == home(stmt)) {
			return true
		}
	}
	return false
}

// home returns the block in which a variable before a statement would be declared.
func home(n *Node) *Node {
	for n.Parent != nil && n.Parent.Kind != "CompoundStmt" {
		if n.IsBody() {
			return n
		}
		n = n.Parent
	}
	return n.Parent
}

// words returns all words of the function's text: also names of fields and macros,
// which a new variable had better not have either.
func (f *Func) words() map[string]bool {
	used := map[string]bool{}
	for _, tok := range f.Text.Between(f.Node.Begin, f.Node.End) {
		if tok.Kind == Word {
			used[f.Text.String(tok)] = true
		}
	}
	f.Node.Walk(func(n *Node) bool {
		used[n.Name] = true
		return true
	})
	return used
}

// index returns which child of p c is; len when it is none, such as a node that was
// folded.
func index(p, c *Node) int {
	for i, q := range p.Children {
		if q == c {
			return i
		}
	}
	return len(p.Children)
}
