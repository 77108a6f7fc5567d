// This file answers what those who plan changes ask of a function.

package ast

import (
	"context"
	"io"
	"strings"
)

// A Label is a place that gotos lead to.
type Label struct {
	Node  *Node // the LabelStmt
	Name  string
	Gotos []*Node // that lead to it
	Rest  []*Node // from the statement behind the label to the end of the list
}

// Labels returns the labels of a function in their order.
func (f *Func) Labels() []Label {
	var out []Label
	at := map[string]int{}
	f.Body.Walk(func(n *Node) bool {
		if n.Kind == "LabelStmt" {
			l := Label{Node: n, Name: n.Name}
			list, i := n.List()
			sub := n
			for sub != nil && sub.IsLabel() {
				sub = sub.Sub()
			}
			if sub != nil {
				l.Rest = append(l.Rest, sub)
			}
			l.Rest = append(l.Rest, list[i+1:]...)
			at[n.declID] = len(out)
			out = append(out, l)
		}
		return true
	})
	f.Body.Walk(func(n *Node) bool {
		if i, ok := at[n.targetID]; ok && n.Kind == "GotoStmt" {
			out[i].Gotos = append(out[i].Gotos, n)
		}
		return true
	})
	return out
}

// Cleanup returns the labels by which a function cleans up: in the outermost list
// of statements, reached by gotos from before and followed by nothing but the way
// out. The first is the one that does the most.
func (f *Func) Cleanup() []Label {
	var out []Label
	for _, l := range f.Labels() {
		if l.Node.EnclosingBlock() != f.Body || len(l.Gotos) == 0 || len(l.Rest) == 0 {
			continue
		}
		ok := true
		for _, g := range l.Gotos {
			ok = ok && g.Begin < l.Node.Begin
		}
		for _, s := range l.Rest[:len(l.Rest)-1] {
			ok = ok && s.Kind != "ReturnStmt"
		}
		if last := l.Rest[len(l.Rest)-1]; ok && (last.Kind == "ReturnStmt" || f.Result == "void" || f.Result == "") {
			out = append(out, l)
		}
	}
	return out
}

// Target returns the label that a goto leads to.
func (f *Func) Target(g *Node) *Node {
	for _, l := range f.Labels() {
		if l.Node.declID == g.targetID {
			return l.Node
		}
	}
	return nil
}

// Pure reports whether evaluating an expression has no effect and always gives the
// same as long as nothing is written.
func (n *Node) Pure() bool {
	pure := true
	n.Walk(func(n *Node) bool {
		switch n.Kind {
		case "DeclRefExpr", "IntegerLiteral", "StringLiteral", "CharacterLiteral", "FloatingLiteral", "CXXBoolLiteralExpr", "CXXNullPtrLiteralExpr", "GNUNullExpr",
			"ParenExpr", "ArraySubscriptExpr", "MemberExpr", "CStyleCastExpr", "CXXStaticCastExpr", "CXXReinterpretCastExpr", "CXXConstCastExpr",
			"ConditionalOperator", "CXXThisExpr", "OffsetOfExpr":
		case "UnaryOperator":
			pure = pure && n.Op != "++" && n.Op != "--"
		case "BinaryOperator":
			pure = pure && n.Op != "="
		case "UnaryExprOrTypeTraitExpr":
			return false // what is inside is not evaluated
		default:
			pure = false
		}
		return pure
	})
	return pure
}

// Reads returns the variables that an expression names, once each.
func (n *Node) Reads() []*Ref {
	var out []*Ref
	seen := map[string]bool{}
	n.Walk(func(n *Node) bool {
		if n.Kind == "DeclRefExpr" && n.Ref != nil && (n.Ref.Kind == "VarDecl" || n.Ref.Kind == "ParmVarDecl") && !seen[n.Ref.id] {
			seen[n.Ref.id] = true
			out = append(out, n.Ref)
		}
		return true
	})
	return out
}

// IsNull reports whether an expression is a null pointer as it is written.
func (n *Node) IsNull() bool {
	for {
		switch n.Kind {
		case "ParenExpr", "CStyleCastExpr", "CXXStaticCastExpr":
			if len(n.Children) != 1 || n.Children[0] == nil {
				return false
			}
			n = n.Children[0]
			continue
		case "IntegerLiteral":
			return n.Value == "0"
		case "GNUNullExpr", "CXXNullPtrLiteralExpr":
			return true
		}
		return false
	}
}

// Jumps reports whether a statement never goes on to the one behind it, as far as
// its form says.
func (n *Node) Jumps() bool {
	if n == nil {
		return false
	}
	switch n.Kind {
	case "ReturnStmt", "GotoStmt", "BreakStmt", "ContinueStmt", "CXXThrowExpr", "IndirectGotoStmt":
		return true
	case "CompoundStmt":
		return len(n.Children) > 0 && n.Children[len(n.Children)-1].Jumps()
	case "IfStmt":
		return n.Else() != nil && n.Then().Jumps() && n.Else().Jumps()
	case "LabelStmt", "CaseStmt", "DefaultStmt", "AttributedStmt":
		return n.Sub().Jumps()
	}
	return false
}

// Declared returns the declaration at file level that a name has in the unit. When
// the unit was not loaded as a whole, clang is asked once for each name.
func (u *Unit) Declared(ctx context.Context, name string) (Decl, bool, error) {
	if _, ok := u.decls[name]; !ok && !u.complete && !u.asked[name] {
		if err := u.dump(ctx, name, nil, nil); err != nil {
			return Decl{}, false, err
		}
		u.asked[name] = true
	}
	d, ok := u.decls[name]
	return d, ok && !d.Implicit, nil
}

// CanCall reports whether a function that has a name is declared where f begins, and
// f has nothing else of that name. What f itself calls needs no clang to know.
func (f *Func) CanCall(ctx context.Context, name string) (bool, error) {
	called, hidden := false, false
	f.Node.Walk(func(n *Node) bool {
		called = called || n.Kind == "DeclRefExpr" && n.Ref != nil && n.Ref.Kind == "FunctionDecl" && n.Ref.Name == name
		hidden = hidden || (n.Kind == "VarDecl" || n.Kind == "ParmVarDecl") && n.Name == name
		return true
	})
	if called || hidden {
		return !hidden, nil
	}
	d, ok, err := f.Unit.Declared(ctx, name)
	return ok && (d.File != f.File || d.Line < f.Node.Line), err
}

// Macro reports whether a macro is defined at the end of the unit.
func (u *Unit) Macro(ctx context.Context, name string) (bool, error) {
	if u.macros == nil {
		macros := map[string]bool{}
		err := u.run(ctx, []string{"-E", "-dM"}, func(r io.Reader) error {
			text, err := io.ReadAll(r)
			for line := range strings.Lines(string(text)) {
				if rest, ok := strings.CutPrefix(line, "#define "); ok {
					if i := strings.IndexAny(rest, " (\n"); i > 0 {
						macros[rest[:i]] = true
					}
				}
			}
			return err
		})
		if err != nil {
			return false, err
		}
		u.macros = macros
	}
	return u.macros[name], nil
}

// Null returns how a unit writes the null pointer: NULL where it is defined, else
// what the language has.
func (u *Unit) Null(ctx context.Context, t *Text) (string, error) {
	count := func(word string) int {
		n := 0
		for _, tok := range t.Tokens() {
			if tok.Kind == Word && t.Is(tok, word) {
				n++
			}
		}
		return n
	}
	if u.CXX && count("nullptr") >= count("NULL") {
		if !u.old() {
			return "nullptr", nil
		}
	}
	ok, err := u.Macro(ctx, "NULL")
	if err != nil {
		return "", err
	}
	if ok {
		return "NULL", nil
	}
	return "0", nil
}

// old reports whether the unit is C++ of before 2011, or C of before 1999.
func (u *Unit) old() bool {
	old := false
	for _, a := range u.cmd.Args {
		if std, ok := strings.CutPrefix(a, "-std="); ok {
			switch std {
			case "c++98", "c++03", "gnu++98", "gnu++03", "c89", "c90", "gnu89", "gnu90", "iso9899:1990", "iso9899:199409":
				old = true
			default:
				old = false
			}
		} else if a == "-ansi" {
			old = true
		}
	}
	return old
}

// MixedDecls reports whether declarations may follow statements in a block.
func (u *Unit) MixedDecls() bool {
	for _, a := range u.cmd.Args {
		if a == "-Wdeclaration-after-statement" || a == "-Werror=declaration-after-statement" {
			return false
		}
	}
	return u.CXX || !u.old()
}
