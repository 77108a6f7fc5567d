package leak_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/leak"
)

// The calls to a deep allocation are told but for the middle.
func TestDeepAllocation(t *testing.T) {
	const n = 5000
	var b strings.Builder
	b.WriteString("program ptr64\nfunc @malloc(%1) ptr external decl\nfunc @f0() ptr external {\nb1:\n  %p: ptr = call @malloc(i64 1)\n  ret %p\n}\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "func @f%d() ptr external {\nb1:\n  %%p: ptr = call @f%d()\n  ret %%p\n}\n", i, i-1)
	}
	fmt.Fprintf(&b, "func @use() void external {\nb1:\n  %%p: ptr = call @f%d()\n  ret\n}\n", n)
	fs := find(t, parse(t, "deep", []byte(b.String())), leak.Config{})
	if len(fs) != 1 {
		t.Fatalf("%d findings", len(fs))
	}
	var got []string
	for _, s := range fs[0].Steps {
		got = append(got, fmt.Sprint(s.Depth, " ", s.Text))
	}
	want := []string{"0 allocated by f5000", "1 f5000 calls f4999", "2 f4999 calls f4998", "3 f4998 calls f4997", "4 f4997 calls f4996",
		"5 f4996 calls f4995", "6 f4995 calls f4994", "7 f4994 calls f4993, and so on through 4994 functions", "8 f0 calls malloc", "0 the result is not used"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}
