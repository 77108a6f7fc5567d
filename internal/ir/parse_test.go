package ir

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// inBody wraps instructions into a program. The body starts at line 6.
func inBody(s string) string {
	return "program ptr64\nfunc @malloc(%1) ptr external decl\nfunc @f(%1: ptr, %2: i32) i32 external {\nvar #1 \"p\" \"char *\"\nb1:\n" + s + "\n}\n"
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"bogus 1", `x.pir:1: unknown item "bogus"`},
		{"unit 2 \"a\" c \"\"", "x.pir:1: id 2, want 1"},
		{"\nunit 1 \"a\" cobol \"\"", `x.pir:2: unknown language "cobol"`},
		{"file 1 \"a", "x.pir:1: bad string"},
		{"struct $2 \"s\" size=1 { }", "x.pir:1: found $2, want $1"},
		{"global @g external i32 size=4 { 0 i32 1 2 }", "x.pir:1: found 2, want }"},
		{"global @g#g2 external i32 size=4", "x.pir:1: @g#g2 is g1 by its position"},
		{"func @f() i32 external decl {\n}", "x.pir:1: found {, want end of line after a declaration"},
		{"func @f(%1) i32 external {\n}", "x.pir:1: parameter 1 has no type"},
		{inBody("  ret %9"), "x.pir:6: %9 is not defined"},
		{inBody("  ret @nobody"), "x.pir:6: @nobody  is not defined"},
		{inBody("  br b7"), "x.pir:5: no block b7"},
		{inBody("  frob %1"), `x.pir:6: unknown operation "frob"`},
		{inBody("  %3: i32 = add %2, %2\n  %3: i32 = add %2, %2"), "x.pir:7: %3 is defined twice"},
		{inBody("  %3: i1 = icmp almost %2, %2"), `x.pir:6: unknown predicate "almost"`},
		{inBody("  set #2 = %1"), "x.pir:6: no variable #2"},
		{inBody("  set q#1 = %1"), `x.pir:6: variable #1 is "p", not "q"`},
		{inBody("  %3: i9x = add %2, %2"), `x.pir:6: "i9x" is not a type`},
		{inBody("  br b2\nb2: <- b2\n  ret %2"), "x.pir:7: the predecessors are [1], not [2]"},
		{inBody("  br b2\nb2:\n  %3: i32 = phi [b2: %2]\n  ret %3"), "x.pir:8: the phi does not have one value"},
		{inBody("  br b2\nb2:\n  %3: i32 = phi [b1: %2, b1: %2]\n  ret %3"), "x.pir:8: a phi of 2 values"},
		{inBody("  ret %2 %1"), "x.pir:6: found %1, want ,"},
		{"func @f() void external {\nb1:\n  ret", "x.pir:3: found end of text"},
	} {
		_, err := Parse("x.pir", []byte(c.src))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s\ngot  %v\nwant %s", c.src, err, c.want)
		}
	}
}

// What people write by hand may be looser than what Print writes.
func TestParseLoose(t *testing.T) {
	p, err := Parse("x.pir", []byte(inBody(`
  %buf: ptr p#1 = call @malloc(i64 8) // a comment
  %c: i1 = icmp eq %buf, null ; 12:3
  condbr %c, b9, b5
b9:
  br b7
b5:
  br b7
b7:
  %r: i32 = phi [b5: i32 5, b9: i32 9]
  ret %r
`)))
	if err != nil {
		t.Fatal(err)
	}
	if err := Verify(p); err != nil {
		t.Fatal(err)
	}
	want := `func @f(%1: ptr, %2: i32) i32 external {
  var #1 "p" "char *"
b1:
  %8: ptr p#1 = call @malloc(i64 8)
  %9: i1 = icmp eq %8, null                       ; 12:3
  condbr %9, b2, b3
b2:
  br b4
b3:
  br b4
b4: <- b2, b3
  %13: i32 = phi [b2: i32 9, b3: i32 5]
  ret %13
}
`
	if got := p.FuncString(2); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func FuzzParse(f *testing.F) {
	src, err := os.ReadFile("testdata/all.pir")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(src)
	f.Add([]byte(inBody("  ret %2")))
	f.Fuzz(func(t *testing.T, src []byte) {
		p, err := Parse("fuzz", src)
		if err != nil {
			return
		}
		if Verify(p) != nil {
			_ = Print(new(bytes.Buffer), p) // broken programs print too
			return
		}
		first := text(t, p)
		q, err := Parse("again", first)
		if err != nil {
			t.Fatalf("%v\n%s", err, first)
		}
		if second := text(t, q); !bytes.Equal(first, second) {
			t.Fatalf("printed:\n%s\nprinted again:\n%s", first, second)
		}
	})
}
