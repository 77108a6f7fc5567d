package leak_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/leak"
)

// diamonds is a function with n branches, on which nothing depends, between an allocation and its loss.
func diamonds(n int) string {
	var b strings.Builder
	b.WriteString("program ptr64\nfunc @malloc(%1) ptr external decl\nfunc @f(%1: ptr) void external {\n" +
		"  var #1 \"p\" \"char *\"\nb1:\n  %p: ptr = call @malloc(i64 1)\n  set p#1 = %p\n  br b2\n")
	for i := range n {
		fmt.Fprintf(&b, "b%d:\n  %%a%d: ptr = gep %%1 + %d\n  %%v%d: i32 = load %%a%d\n  %%c%d: i1 = icmp eq %%v%d, i32 %d\n  condbr %%c%d, b%d, b%d\nb%d:\n  br b%d\n",
			2*i+2, i, 4*i, i, i, i, i, i, i, 2*i+3, 2*i+4, 2*i+3, 2*i+4)
	}
	fmt.Fprintf(&b, "b%d:\n  ret\n}\n", 2*n+2)
	return b.String()
}

// Of all paths to a loss each is told once, up to a bound; and where there are
// more, that is told too.
func TestAllPaths(t *testing.T) {
	for _, test := range []struct{ branches, want int }{{0, 1}, {1, 2}, {3, 8}, {6, 64}, {7, 64}, {40, 64}} {
		p := parse(t, "diamonds", []byte(diamonds(test.branches)))
		if fs := find(t, p, leak.Config{}); len(fs) != 1 {
			t.Fatalf("%d branches: %d findings when paths do not count", test.branches, len(fs))
		}
		fs := find(t, p, leak.Config{AllPaths: true})
		if len(fs) != test.want {
			t.Errorf("%d branches: %d findings, want %d", test.branches, len(fs), test.want)
		}
		seen := map[string]bool{}
		said := false
		for _, f := range fs {
			// The branches are told apart by their truth alone: their lines are not known here.
			seen[fmt.Sprint(f.Steps)] = true
			said = said || strings.HasPrefix(f.Steps[len(f.Steps)-1].Text, "there are more paths to here than the 64")
		}
		if len(seen) != len(fs) {
			t.Errorf("%d branches: of %d findings %d differ", test.branches, len(fs), len(seen))
		}
		if said != (test.branches > 6) {
			t.Errorf("%d branches: that there are more paths is said: %t", test.branches, said)
		}
	}
}

// A path that goes round a loop is told once.
func TestAllPathsLoop(t *testing.T) {
	const src = `program ptr64
func @malloc(%1) ptr external decl
func @next() i32 external decl
func @f() void external {
  var #1 "p" "char *"
b1:
  %p: ptr = call @malloc(i64 1)
  set p#1 = %p
  br b2
b2:
  %v: i32 = call @next()
  %c: i1 = icmp eq %v, i32 0
  condbr %c, b3, b4
b3:
  %w: i32 = call @next()
  %d: i1 = icmp eq %w, i32 1
  condbr %d, b2, b5
b4:
  br b5
b5:
  ret
}
`
	fs := find(t, parse(t, "loop", []byte(src)), leak.Config{AllPaths: true})
	if len(fs) != 2 {
		t.Errorf("%d findings, want 2:\n%s", len(fs), story(fs))
	}
}
