package callgraph

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/model"
)

var update = flag.Bool("update", false, "rewrite the expected call graph")

const program = `program ptr64
file 1 "/src/a.c"
func @malloc(%1) ptr external decl
func @even(%1: i32) i32 external at f1:1 {
b1:
  %2: i32 = call @odd(%1)           ; a.c:2:3
  %3: i32 = call @odd(%1)           ; a.c:3:3
  ret %2
}
func @odd(%1: i32) i32 external at f1:5 {
b1:
  %2: i32 = call @even(%1)          ; a.c:6:3
  ret %2
}
func @main(%1: ptr) i32 external at f1:9 display="the main" {
b1:
  %2: ptr = call @malloc(i64 1)     ; a.c:10:3
  %3: i32 = call %1(i32 4)          ; a.c:11:3
  call asm "nop"()
  %4: i32 = call @even(i32 4)
  ret %4
}
`

func build(t *testing.T) *Graph {
	t.Helper()
	p, err := ir.Parse("a.pir", []byte(program))
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Verify(p); err != nil {
		t.Fatal(err)
	}
	return Build(p, model.Builtin())
}

func TestBuild(t *testing.T) {
	g := build(t)
	if n := g.Unresolved(); n != 1 {
		t.Errorf("%d unresolved calls", n)
	}
	var callees []ir.FuncID
	for _, c := range g.CallsOf(4) {
		callees = append(callees, c.Callee)
	}
	if want := []ir.FuncID{1, 0, 2}; !slices.Equal(callees, want) {
		t.Errorf("main calls %v, want %v", callees, want)
	}
	var callers []ir.FuncID
	for _, i := range g.CallersOf(2) {
		callers = append(callers, g.Calls[i].Caller)
	}
	if want := []ir.FuncID{3, 4}; !slices.Equal(callers, want) {
		t.Errorf("even is called by %v, want %v", callers, want)
	}
	var order []string
	g.Components(func(_ int, funcs []ir.FuncID) { order = append(order, fmt.Sprint(funcs)) })
	if want := []string{"[1]", "[2 3]", "[4]"}; !slices.Equal(order, want) {
		t.Errorf("components %v, want %v", order, want)
	}
}

func TestPrint(t *testing.T) {
	g := build(t)
	var b strings.Builder
	if err := g.Print(&b, regexp.MustCompile("main|odd")); err != nil {
		t.Fatal(err)
	}
	want := `odd  component 2 of 2 functions
  a.c:6:3        even
the main  component 3
  a.c:10:3       malloc
  a.c:11:3       ?
  -              even
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

func TestDot(t *testing.T) {
	g := build(t)
	var b strings.Builder
	if err := g.Dot(&b, nil); err != nil {
		t.Fatal(err)
	}
	want := `digraph calls {
  node [shape=box];
  f1 [label="malloc", style=dashed];
  subgraph cluster_2 {
    label="component 2";
    f2 [label="even"];
    f3 [label="odd"];
  }
  f4 [label="the main\n1 through pointers"];
  f2 -> f3 [label="2"];
  f3 -> f2;
  f4 -> f1;
  f4 -> f2;
}
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

// The archive has a program, in.pir, and its call graph, want.
func TestWays(t *testing.T) {
	const name = "testdata/ways.txtar"
	ar, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := ir.Parse(name, ar.Files[0].Data)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := Build(p, model.Builtin()).Print(&b, nil); err != nil {
		t.Fatal(err)
	}
	if *update {
		ar.Files[1].Data = []byte(b.String())
		if err := os.WriteFile(name, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(string(ar.Files[1].Data), b.String()); d != "" {
		t.Error(d)
	}
}
