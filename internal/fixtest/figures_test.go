package fixtest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/fix"
)

var (
	fixComment  = regexp.MustCompile(`(?m)^// fix: (.*)$`)
	releaseLine = regexp.MustCompile(`^\+.*\bfree(addrinfo)?\(`)
)

// TestFigures mends the figures of the AutoFix paper: each as the paper does,
// and nothing in their twins. A comment "fix:" says how, and "mend" marks
// the lines after which the release belongs.
func TestFigures(t *testing.T) {
	figures, err := Suite("testdata/figures")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range figures {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join(p.Dir, p.Name))
			if err != nil {
				t.Fatal(err)
			}
			var claims []Claim
			s := quick(t).Score(t.Context(), p, Inside(fix.Config{}, &claims), Inside(fix.Config{Guard: true}, &claims))
			want := map[string][]Outcome{"none": {Quiet}, "fixed": {Fixed}, "fixed or guarded": {Fixed, Guarded}}[string(fixComment.FindSubmatch(text)[1])]
			if !slices.Contains(want, s.Outcome) {
				t.Errorf("%v, not %v: %q %v\n%s", s.Outcome, want, s.Why, claims, s.Diff)
			}
			for _, line := range misplaced(string(text), &Patch{Diff: s.Diff}) {
				t.Errorf("not where the paper puts it: %s\n%s", line, s.Diff)
			}
		})
	}
}

// misplaced are the lines of a patch that release something elsewhere than marked.
func misplaced(text string, p *Patch) []string {
	lines := strings.Split(text, "\n")
	marked := func(line int) bool {
		has := func(n int, mark string) bool { return n >= 1 && n <= len(lines) && strings.HasSuffix(lines[n-1], mark) }
		return has(line, "// mend") || has(line+1, "// mend before")
	}
	var out []string
	for file, was := range p.lines() {
		now := 0
		for line := range strings.Lines(string(p.Diff)) {
			if m := hunk.FindStringSubmatch(line); m != nil {
				now = number(m[3])
				continue
			}
			if releaseLine.MatchString(line) && filepath.Ext(file) == ".c" && !strings.Contains(line, "plumb_guard_remove") && !marked(was(now)) {
				out = append(out, strings.TrimSpace(line))
			}
			if strings.HasPrefix(line, "+") || strings.HasPrefix(line, " ") {
				now++
			}
		}
	}
	return out
}
