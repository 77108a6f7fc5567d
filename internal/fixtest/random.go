// This file writes random programs.

package fixtest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Random returns a C program that does nothing wrong but lose memory. Each digit of
// its argument decides a branch or how often a loop goes round, so that runs
// with many arguments go many ways. The same seed gives the same program.
//
// Its functions allocate, look at, pass on, keep and release texts, nodes and
// files. What each variable is on the way through a function is known while it is
// written (see state), which is what keeps it right: a release is only written
// where the variable holds something or NULL, and a variable is only looked at
// where it can be. What is not released where a variable goes out of scope or is
// overwritten is lost; that is left to chance.
func Random(seed uint64) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))}
	g.unit = []string{"    ", "\t", "  "}[g.IntN(3)]
	g.ownLine = g.IntN(4) == 0
	g.care = []float64{0.5, 0.7, 0.9}[g.IntN(3)]
	g.raw(prelude)
	for range 2 + g.IntN(4) {
		g.function()
	}
	g.main()
	return g.String()
}

// A generator is where the writing stands.
type generator struct {
	*rand.Rand
	strings.Builder
	unit    string  // of indentation
	ownLine bool    // braces of blocks stand on their own line
	care    float64 // how likely it is that something is released
	depth   int     // of blocks
	names   int     // so many were given
	done    []signature
	f       *function
}

// A shape is what a function gives and takes, as far as memory goes.
type shape int

const (
	number0  shape = iota // int f(void)
	gives                 // char *f(void): the caller owns what comes back, which may be NULL
	fills                 // int f(char **out): 0 when the caller owns what is in *out now
	takes                 // int f(char *text): releases it, or should
	borrows               // int f(const char *text)
	makes                 // struct node *f(void)
	recurses              // int f(int depth)
	shapes
)

type signature struct {
	name  string
	shape shape
}

// A function is the one that is written.
type function struct {
	signature
	vars    []*variable
	cleanup bool   // it has a label out, and all its variables are set before the first jump
	top     int    // how many variables there are at the label
	jumps   []held // what is known at each goto out
	dead    bool   // no way leads here
	loops   []loop // that are open, outermost first
	breaks  int    // how many blocks are open that break does not leave a loop from
}

// A loop is one that is open.
type loop struct {
	vars int  // that are older
	inv  held // what they are at its head
}

// chance is true so often.
func (g *generator) chance(p float64) bool { return g.Float64() < p }

// name makes a new one.
func (g *generator) name(base string) string {
	g.names++
	return fmt.Sprintf("%s%d", base, g.names)
}

// raw writes text as it is.
func (g *generator) raw(text string) { g.WriteString(text) }

// line writes one.
func (g *generator) line(format string, args ...any) {
	g.raw(strings.Repeat(g.unit, g.depth) + fmt.Sprintf(format, args...) + "\n")
}

// open begins a block.
func (g *generator) open(format string, args ...any) {
	head := fmt.Sprintf(format, args...)
	if g.ownLine {
		g.line("%s", head)
		g.line("{")
	} else {
		g.line("%s {", head)
	}
	g.depth++
}

// turn ends a block and begins another that goes with it.
func (g *generator) turn(head string) {
	g.depth--
	if g.ownLine {
		g.line("}")
		g.open("%s", head)
		return
	}
	g.line("} %s {", head)
	g.depth++
}

func (g *generator) close() {
	g.depth--
	g.line("}")
}

// function writes a function of a random shape.
func (g *generator) function() {
	f := &function{signature: signature{g.name("step"), shape(g.IntN(int(shapes)))}, cleanup: g.chance(0.4)}
	g.f = f
	head := map[shape]string{
		number0: "static int %s(void)", gives: "static char *%s(void)", fills: "static int %s(char **out)", takes: "static int %s(char *given)",
		borrows: "static int %s(const char *given)", makes: "static struct node *%s(void)", recurses: "static int %s(int depth)",
	}[f.shape]
	g.line("")
	g.line(head, f.name)
	g.line("{")
	g.depth++
	switch f.shape {
	case takes:
		f.vars = append(f.vars, &variable{name: "given", kind: text, state: owned})
	case borrows:
		f.vars = append(f.vars, &variable{name: "given", kind: text, state: lent})
	case recurses:
		g.line("if (depth <= 0)")
		g.line("%sreturn 0;", g.unit)
	}
	for range 1 + g.IntN(3) {
		g.declare(f.cleanup)
	}
	f.top = len(f.vars)
	g.statements(2 + g.IntN(4))
	if f.shape == recurses && !f.dead {
		g.line("total += %s(depth - 1);", f.name)
	}
	g.statements(2 + g.IntN(4))
	if f.cleanup {
		g.out()
	}
	if !f.dead {
		g.leave()
	}
	g.depth--
	g.line("}")
	g.done = append(g.done, f.signature)
}

// main calls all functions, the later ones of which call the earlier ones.
func (g *generator) main() {
	g.f = &function{signature: signature{"main", number0}}
	g.line("")
	g.line("int main(int argc, char **argv)")
	g.line("{")
	g.depth++
	g.line("script = argc > 1 ? argv[1] : \"\";")
	for _, s := range g.done {
		g.call(s)
	}
	for _, v := range g.f.vars {
		g.look(v)
	}
	if g.chance(g.care) {
		g.line("free(kept);")
		g.line("kept = NULL;")
	}
	for _, v := range g.f.vars {
		if g.chance(g.care) {
			g.release(v)
		}
	}
	g.line("printf(\"%%d\\n\", total);")
	g.line("return 0;")
	g.depth--
	g.line("}")
}
