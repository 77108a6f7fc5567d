package leak_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/leak"
)

// The source says in comments which condition tells that an object is lost there.
func TestTell(t *testing.T) {
	src, err := os.ReadFile("testdata/life/tell.txt")
	if err != nil {
		t.Fatal(err)
	}
	p, res := searched(t, "in.c", string(src))
	tell := regexp.MustCompile(`// tell: (.*)$`)
	for i, line := range strings.Split(string(src), "\n") {
		m := tell.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		var got []string
		found := false
		eachLife(p, res, func(l *leak.Life) {
			for _, x := range l.Losses() {
				if x.Pos.Line != i+1 {
					continue
				}
				found = true
				for _, c := range res.Tell(l.Func, l.Site, l.Place, x.At) {
					got = append(got, c.Text)
				}
			}
		})
		if !found {
			t.Errorf("line %d: nothing is lost", i+1)
		}
		if len(got) == 0 {
			got = []string{"nothing"}
		}
		if strings.Join(got, "; ") != m[1] {
			t.Errorf("line %d: %q, want %q", i+1, got, m[1])
		}
	}
}
