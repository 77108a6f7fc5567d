package leak_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/report"
)

// Each place at which an object is given up is counted once, however many objects
// and paths come there, and told with the findings of its function.
func TestGaveUp(t *testing.T) {
	const src = `#include <setjmp.h>
#include <stdlib.h>
void unknown(void *p);
void looks(const char *p);
void (*hook)(void *p);
jmp_buf env;

int leaky(int n)
{
	char *p = malloc(4);
	char *q = malloc(4);
	if (n == 1) {
		unknown(p);
		unknown(q);
		return 1;
	}
	looks(p);
	if (n == 2) {
		hook(p);
		free(q);
		return 1;
	}
	if (n == 3) {
		__asm__ volatile("" : : "r"(p) : "memory");
		free(q);
		return 1;
	}
	free(p);
	if (n == 4)
		return 1;
	free(q);
	return 0;
}

void given(char *p) { unknown(p); }

int jumps(void)
{
	char *p = malloc(4);
	if (setjmp(env))
		return 1;
	free(p);
	return 0;
}
`
	var stats leak.Stats
	fs := find(t, program(t, src), leak.Config{Stats: &stats})
	want := map[report.Reason]int{report.UnknownCallee: 3, report.UnknownTarget: 1, report.InlineAssembly: 1, report.JumpTarget: 1}
	if !maps.Equal(stats.GaveUp, want) {
		t.Errorf("gave up %v, want %v", stats.GaveUp, want)
	}
	if len(fs) != 1 {
		t.Fatalf("%d findings", len(fs))
	}
	var got []string
	for _, g := range fs[0].GaveUp {
		got = append(got, fmt.Sprintf("%d %s %s: %s", g.Pos.Line, g.Function, g.Reason, g.Text))
	}
	lines := []string{
		"13 leaky unknown-callee: unknown has no body and no model: what it is given counts as kept",
		"14 leaky unknown-callee: unknown has no body and no model: what it is given counts as kept",
		"19 leaky unknown-target: a call through a pointer that may lead anywhere: what it is given counts as kept",
		"24 leaky inline-assembly: inline assembly: what it is given counts as kept",
	}
	if !slices.Equal(got, lines) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(lines, "\n"))
	}
}

// What is given up for its states is counted for new objects and for given ones.
func TestGaveUpStates(t *testing.T) {
	var src strings.Builder
	src.WriteString("#include <stdlib.h>\nint f(const int *a, char *given)\n{\nint x = 0;\nchar *p = malloc(8);\n")
	for i := range 40 {
		fmt.Fprintf(&src, "if (a[%d]) x += %d;\n", i, 1<<(i%20))
	}
	src.WriteString("if (x == 3) return x;\nfree(given);\nif (x == 5) return x;\nfree(p);\nreturn x;\n}\n")
	var stats leak.Stats
	fs := find(t, program(t, src.String()), leak.Config{Stats: &stats})
	if stats.GivenUp != 1 || stats.GaveUp[report.TooManyStates] != 2 || len(fs) != 0 {
		t.Errorf("%d objects given up, %d places, %d findings", stats.GivenUp, stats.GaveUp[report.TooManyStates], len(fs))
	}
}
