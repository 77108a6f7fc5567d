// This file finds out which candidates the compiler speaks of.

package fix

import (
	"regexp"
	"strconv"

	"github.com/plumb-project/plumb/internal/source"
)

// A said is an error or a warning of the compiler: "a.c:4:2: text".
type said struct {
	pos  source.Position
	text string
}

var messages = regexp.MustCompile(`^(.*?):(\d+):(?:(\d+):)? *(.*)$`)

// parseSaid reads a message; without a position it is all text.
func parseSaid(s string) said {
	m := messages.FindStringSubmatch(s)
	if m == nil {
		return said{text: s}
	}
	line, _ := strconv.Atoi(m[2])
	col, _ := strconv.Atoi(m[3])
	return said{source.Position{File: m[1], Line: line, Col: col}, m[4]}
}

var unsetVariable = regexp.MustCompile(`variable '(\w+)' (?:is|may be) (?:used )?uninitialized`)

// hear blames messages of the compiler on the candidates that change the functions
// they are about.
func (t *trial) hear(messages []string, prefix string, inPatched bool) {
	for _, s := range messages {
		m := parseSaid(s)
		if inPatched {
			m.pos = t.old(m.pos)
		}
		why := prefix + s
		if m.pos.IsValid() {
			why = prefix + t.p.where(m.pos) + ": " + m.text
		}
		blamed := false
		for _, near := range []func(*candidate) bool{
			func(c *candidate) bool { return m.pos.IsValid() && t.touches(c, m.pos) },
			func(c *candidate) bool { return m.pos.IsValid() && c.changes(m.pos.File) },
		} {
			for i, c := range t.cands {
				if blamed = blamed || near(c); !near(c) {
					continue
				}
				if v := unsetVariable.FindStringSubmatch(m.text); v != nil {
					for slot := range c.options {
						t.noteUnset(i, slot, v[1])
					}
				}
				t.accuse(i, c.clause()+": "+why, -1)
			}
			if blamed {
				break
			}
		}
		if !blamed && t.loose == "" {
			t.loose = why
		}
	}
}

// changes reports whether a candidate changes a file.
func (c *candidate) changes(file string) bool {
	for _, f := range c.patch.Files() {
		if f == file {
			return true
		}
	}
	return false
}
