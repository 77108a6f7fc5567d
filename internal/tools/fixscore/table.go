// This file prints the result.

package main

import (
	"fmt"
	"strings"

	"github.com/plumb-project/plumb/internal/fixtest"
)

// A table is the result of all suites.
type table struct {
	rows   []row
	below  []string
	broken bool
}

// A row counts the programs of one suite in one language.
type row struct {
	suite, language string
	programs        int
	by              map[fixtest.Outcome]int
	lost            int // places whose memory the runs lose
	left, leftOver  int // of these, with the patch and with the guarded patch
}

func (t *table) add(suite string, scores []fixtest.Score) {
	rows := []row{{suite: suite, language: "C"}, {suite: suite, language: "C++"}}
	for _, s := range scores {
		r := &rows[0]
		if s.Program.CXX {
			r = &rows[1]
		}
		if r.by == nil {
			r.by = map[fixtest.Outcome]int{}
		}
		r.programs++
		r.by[s.Outcome]++
		r.lost += len(s.Lost)
		r.left += min(len(s.Left), len(s.Lost))
		r.leftOver += min(len(s.LeftOver), len(s.Lost))
		switch s.Outcome {
		case fixtest.Broken, fixtest.Failed:
			t.broken = true
		case fixtest.Fixed, fixtest.Quiet:
			continue
		}
		line := fmt.Sprintf("- %s %s: %v", suite, s.Program.Name, s.Outcome)
		for _, why := range s.Why {
			line += "\n  - " + strings.ReplaceAll(strings.TrimSpace(why), "\n", "\n    ")
		}
		t.below = append(t.below, line)
	}
	for _, r := range rows {
		if r.programs > 0 {
			t.rows = append(t.rows, r)
		}
	}
}

func (t *table) String() string {
	var b strings.Builder
	b.WriteString(`# Patches, judged by running the patched programs

Written by ` + "`make score-fix`" + `. Each program is mended by ` + "`plumb fix`" + ` and by ` + "`plumb fix --guard`" + `, built and run: by clang and gcc without new
warnings, every run with the same output and status, under AddressSanitizer with LeakSanitizer and under valgrind, and again with each of its
first allocations failing. Of programs that lose something: *fixed* loses nothing any more, *guarded* loses nothing any more with ` + "`--guard`" + `,
*not fixed* still loses something. Of the others: *quiet* got no patch, *harmless* got one that changes nothing that can be seen. *Broken* has to be 0.
Places are calls that lead to an allocation whose memory is lost.

| suite | language | programs | lose something | fixed | guarded | not fixed | lose nothing | quiet | harmless | broken | failed | places | mended | mended with guard |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
`)
	for _, r := range t.rows {
		n := func(o fixtest.Outcome) int { return r.by[o] }
		lossy, clean := n(fixtest.Fixed)+n(fixtest.Guarded)+n(fixtest.NotFixed), n(fixtest.Quiet)+n(fixtest.Harmless)
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %s | %d | %d | %d | %d | %d | %d | %d | %d | %s | %s |\n", r.suite, r.language, r.programs,
			lossy, share(n(fixtest.Fixed), lossy), n(fixtest.Guarded), n(fixtest.NotFixed), clean, n(fixtest.Quiet), n(fixtest.Harmless),
			n(fixtest.Broken), n(fixtest.Failed), r.lost, share(r.lost-r.left, r.lost), share(r.lost-r.leftOver, r.lost))
	}
	if len(t.below) > 0 {
		b.WriteString("\n" + strings.Join(t.below, "\n") + "\n")
	}
	return b.String()
}

// share is a number with its part of a whole.
func share(n, of int) string {
	if of == 0 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d (%d%%)", n, 100*n/of)
}
