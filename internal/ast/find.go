// This file leads from positions to nodes.

package ast

// Walk calls visit for a node and all below it in source order of the dump, until
// visit says not to go deeper.
func (n *Node) Walk(visit func(*Node) bool) {
	if n == nil || !visit(n) {
		return
	}
	for _, c := range n.Children {
		c.Walk(visit)
	}
}

// Contains reports whether a node's range has an offset.
func (n *Node) Contains(off int) bool {
	return !n.Elsewhere && n.Begin <= off && off < n.End
}

// Within reports whether n is m or below it.
func (n *Node) Within(m *Node) bool {
	for ; n != nil; n = n.Parent {
		if n == m {
			return true
		}
	}
	return false
}

// At returns the innermost node at a line and column, as debug information has
// them: of something in a macro, where the macro is invoked. A column of 0 is the
// first on the line. It returns nil outside of the function.
func (f *Func) At(line, col int) *Node {
	off, ok := f.Text.Offset(line, col)
	if !ok {
		return nil
	}
	return f.at(off, func(*Node) bool { return true })
}

// at returns the innermost node that contains an offset and that is accepted. Of
// an invocation the outermost node is taken: nothing tells those below apart.
func (f *Func) at(off int, accept func(*Node) bool) *Node {
	var best *Node
	f.Node.Walk(func(n *Node) bool {
		if n.Elsewhere {
			return true // its children may be here
		}
		if n != f.Node && !n.Contains(off) {
			return false
		}
		if accept(n) && !(best != nil && best.Invoked && n.Invoked && n.Begin == best.Begin) && !n.Implicit {
			best = n
		}
		return true
	})
	return best
}

// StmtAt returns the innermost statement at a line and column. The closing brace
// of a block means the block.
func (f *Func) StmtAt(line, col int) *Node {
	off, ok := f.Text.Offset(line, col)
	if !ok {
		return nil
	}
	return f.at(off, func(n *Node) bool { return n.Stmt })
}

// CallAt returns the call at a line and column whose callee has a name; with name
// "" any call. Of several that begin there it is the innermost, of those that a
// macro makes the first.
func (f *Func) CallAt(line, col int, name string) *Node {
	for n := f.deepest(line, col); n != nil; n = n.Parent {
		if n.IsCall() && (name == "" || n.Callee() == name) {
			return n
		}
		if n.Invoked {
			if c := f.callIn(n, name); c != nil {
				return c
			}
		}
		if n.Stmt && !n.Invoked {
			return nil
		}
	}
	return nil
}

// callIn returns the first call below a node of an invocation.
func (f *Func) callIn(n *Node, name string) *Node {
	var call *Node
	n.Walk(func(n *Node) bool {
		if call == nil && n.Invoked && n.IsCall() && (name == "" || n.Callee() == name) {
			call = n
		}
		return call == nil
	})
	return call
}

// deepest is At that goes into macros too.
func (f *Func) deepest(line, col int) *Node {
	off, ok := f.Text.Offset(line, col)
	if !ok {
		return nil
	}
	var best *Node
	f.Node.Walk(func(n *Node) bool {
		if n.Elsewhere {
			return true
		}
		if n != f.Node && !n.Contains(off) {
			return false
		}
		best = n
		return true
	})
	return best
}

// IsCall reports whether a node is a call or makes an object.
func (n *Node) IsCall() bool {
	switch n.Kind {
	case "CallExpr", "CXXMemberCallExpr", "CXXOperatorCallExpr", "CXXNewExpr", "CXXConstructExpr", "CXXTemporaryObjectExpr", "UserDefinedLiteral", "CXXDeleteExpr":
		return true
	}
	return false
}

// Callee returns the name of what a call calls, "" when it has none.
func (n *Node) Callee() string {
	switch n.Kind {
	case "CXXNewExpr":
		return "new"
	case "CXXDeleteExpr":
		return "delete"
	}
	if !n.IsCall() || len(n.Children) == 0 || n.Children[0] == nil {
		return ""
	}
	c := n.Children[0].Unparen()
	switch c.Kind {
	case "DeclRefExpr", "MemberExpr":
		return c.Name
	}
	return ""
}

// Args returns the arguments of a call.
func (n *Node) Args() []*Node {
	switch n.Kind {
	case "CallExpr", "CXXMemberCallExpr", "CXXOperatorCallExpr":
		if len(n.Children) > 0 {
			return n.Children[1:]
		}
	}
	return n.Children
}

// Unparen returns what is inside of parentheses.
func (n *Node) Unparen() *Node {
	for n.Kind == "ParenExpr" && len(n.Children) == 1 {
		n = n.Children[0]
	}
	return n
}

// EnclosingStmt returns the statement that a node is or is part of.
func (n *Node) EnclosingStmt() *Node {
	for n != nil && !n.Stmt {
		n = n.Parent
	}
	return n
}

// Enclosing returns the nearest node above n that has one of the kinds.
func (n *Node) Enclosing(kinds ...string) *Node {
	for n = n.Parent; n != nil; n = n.Parent {
		for _, k := range kinds {
			if n.Kind == k {
				return n
			}
		}
	}
	return nil
}

// EnclosingFunc returns the function or lambda that a node is in.
func (n *Node) EnclosingFunc() *Node {
	for n = n.Parent; n != nil && !isFunction(n.Kind); n = n.Parent {
	}
	return n
}

// EnclosingLoop returns the nearest loop around a node in the same function.
func (n *Node) EnclosingLoop() *Node {
	for n = n.Parent; n != nil && !isFunction(n.Kind); n = n.Parent {
		if n.IsLoop() {
			return n
		}
	}
	return nil
}

// IsLoop reports whether a node is a loop.
func (n *Node) IsLoop() bool {
	switch n.Kind {
	case "ForStmt", "WhileStmt", "DoStmt", "CXXForRangeStmt":
		return true
	}
	return false
}

// EnclosingBlock returns the nearest compound statement around a node.
func (n *Node) EnclosingBlock() *Node { return n.Enclosing("CompoundStmt") }

// List returns the statements among which a statement stands, with those that
// labels precede counted without them, and its place in them. A body without
// braces stands alone.
func (n *Node) List() (list []*Node, i int) {
	top := n
	for top.Parent != nil && top.Parent.IsLabel() && top.Stmt {
		top = top.Parent
	}
	if top.Parent == nil || top.Parent.Kind != "CompoundStmt" {
		return []*Node{top}, 0
	}
	for i, c := range top.Parent.Children {
		if c == top {
			return top.Parent.Children, i
		}
	}
	return []*Node{top}, 0
}

// IsLabel reports whether a node is a label with the statement it precedes.
func (n *Node) IsLabel() bool {
	switch n.Kind {
	case "LabelStmt", "CaseStmt", "DefaultStmt", "AttributedStmt":
		return true
	}
	return false
}

// IsBody reports whether a statement is the body of an if, else, loop or switch
// without being a block of its own.
func (n *Node) IsBody() bool {
	if !n.Stmt || n.Kind == "CompoundStmt" || n.Parent == nil {
		return false
	}
	switch n.Parent.Kind {
	case "IfStmt", "SwitchStmt":
		return true
	}
	return n.Parent.IsLoop()
}

// Cond returns the condition of an if, loop, switch or conditional expression; nil
// when it has none.
func (n *Node) Cond() *Node {
	switch n.Kind {
	case "IfStmt", "SwitchStmt", "WhileStmt":
		i := 0
		if n.hasInit {
			i++
		}
		if n.hasVar {
			i++
		}
		if i < len(n.Children) {
			return n.Children[i]
		}
	case "DoStmt":
		if len(n.Children) == 2 {
			return n.Children[1]
		}
	case "ForStmt":
		if len(n.Children) == 5 {
			return n.Children[2]
		}
	case "ConditionalOperator":
		return n.Children[0]
	}
	return nil
}

// Then returns the statement under an if.
func (n *Node) Then() *Node {
	if n.Kind != "IfStmt" || len(n.Children) < 2 {
		return nil
	}
	if n.hasElse {
		return n.Children[len(n.Children)-2]
	}
	return n.Children[len(n.Children)-1]
}

// Else returns the statement under the else of an if; nil when it has none.
func (n *Node) Else() *Node {
	if n.Kind != "IfStmt" || !n.hasElse {
		return nil
	}
	return n.Children[len(n.Children)-1]
}

// Sub returns the body of a loop or switch, or the statement behind a label.
func (n *Node) Sub() *Node {
	if len(n.Children) == 0 {
		return nil
	}
	if n.Kind == "DoStmt" {
		return n.Children[0]
	}
	if n.IsLoop() || n.IsLabel() || n.Kind == "SwitchStmt" {
		return n.Children[len(n.Children)-1]
	}
	return nil
}

// Source returns the text of a node.
func (f *Func) Source(n *Node) string {
	if n == nil || n.Elsewhere {
		return ""
	}
	return string(f.Text.Src[n.Begin:n.End])
}

// BeginsInMacro reports whether the first token comes out of a macro.
func (n *Node) BeginsInMacro() bool { return n.begin.macro }

// EndsInMacro reports whether the last token, the semicolon apart, comes out of a
// macro.
func (n *Node) EndsInMacro() bool { return n.end.macro }

// Apart reports whether the macros that an expression begins and ends with make
// nothing else of its statement, so that its text is its own.
func (n *Node) Apart() bool {
	apart := func(at loc) bool {
		for c, p := n, n.Parent; at.macro && p != nil && !c.Stmt; c, p = p, p.Parent {
			for _, q := range p.Children {
				shared := false
				q.Walk(func(m *Node) bool {
					shared = shared || m == nil || m == c || m.begin.macro && m.begin.off == at.off || m.end.macro && m.end.off == at.off
					return !shared
				})
				if shared && q != c {
					return false
				}
			}
			if p.Kind == "ParenExpr" && p.begin.macro && p.begin.off == at.off {
				return false
			}
		}
		return true
	}
	return apart(n.begin) && apart(n.end)
}

// NameAt returns where a declaration has its name.
func (n *Node) NameAt() int { return n.pos.off }

// HasInit reports whether a variable is declared with an initialiser.
func (n *Node) HasInit() bool { return n.initStyle != "" }
