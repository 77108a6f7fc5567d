// This file prints trees.

package ast

import (
	"fmt"
	"io"
	"strings"
)

// Print writes the tree of a function, a node a line.
//
//	IfStmt 12:2 "if (!p) return -1;" stmt
//	  UnaryOperator ! 12:6 "!p" int
func (f *Func) Print(w io.Writer) {
	var print func(n *Node, depth int)
	print = func(n *Node, depth int) {
		fmt.Fprint(w, strings.Repeat("  ", depth))
		if n == nil {
			fmt.Fprintln(w, "-")
			return
		}
		fmt.Fprint(w, n.Kind)
		for _, s := range []string{n.Name, n.Op, n.Value} {
			if s != "" {
				fmt.Fprint(w, " ", s)
			}
		}
		if n.Elsewhere {
			fmt.Fprint(w, " elsewhere")
		} else {
			fmt.Fprintf(w, " %d:%d %q", n.Line, n.Col, short(f.Source(n)))
		}
		if n.Type != "" {
			fmt.Fprint(w, " ", n.Type)
		}
		for _, p := range []struct {
			set  bool
			name string
		}{
			{n.Stmt, "stmt"}, {n.Open, "open"}, {n.Invoked, "invoked"}, {n.Macro && !n.Invoked, "macro"}, {n.Implicit, "implicit"},
		} {
			if p.set {
				fmt.Fprint(w, " ", p.name)
			}
		}
		fmt.Fprintln(w)
		for _, c := range n.Children {
			print(c, depth+1)
		}
	}
	print(f.Node, 0)
}

// short returns the beginning and the end of a text that is long.
func short(s string) string {
	if len(s) <= 40 {
		return s
	}
	return s[:20] + "..." + s[len(s)-15:]
}
