// This file holds suppressions in Valgrind's form.

package suppress

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/report"
)

// A block of Valgrind names calls from the innermost on.
type block struct {
	held, lost bool // which leaks it is about
	calls      []call
}

// A call is a line of a block.
type call struct {
	any bool // "...": any number of calls
	in  field
	re  *regexp.Regexp
}

// A field is what of a frame a pattern is about.
type field uint8

const (
	function field = iota + 1
	object
	src
)

// valgrind reads a block behind its brace. It returns nil for one that is about
// something else.
func (p *parser) valgrind() (entry, error) {
	start := p.n
	b := &block{held: true, lost: true}
	leak := false
	for n := 0; p.next(); n++ {
		switch {
		case p.line == "}":
			switch {
			case n < 2:
				return nil, p.errorf("a suppression without a kind")
			case !leak:
				return nil, nil
			case len(b.calls) == 0:
				return nil, p.errorf("a suppression without a call would suppress everything")
			}
			return b, nil
		case n == 0: // its name
		case n == 1:
			tools, kind, ok := strings.Cut(p.line, ":")
			if !ok {
				return nil, p.errorf("%q is no kind of errors: write Memcheck:Leak", p.line)
			}
			leak = kind == "Leak" && slices.Contains(strings.Split(tools, ","), "Memcheck")
		case !leak: // lines that only the other kind knows
		default:
			if err := p.call(b); err != nil {
				return nil, err
			}
		}
	}
	return nil, fmt.Errorf("%s:%d: the brace is never closed", p.name, start)
}

// call reads a line behind the kind.
func (p *parser) call(b *block) error {
	if p.line == "..." {
		b.calls = append(b.calls, call{any: true})
		return nil
	}
	word, text, _ := strings.Cut(p.line, ":")
	c := call{re: glob(text)}
	switch word {
	case "match-leak-kinds":
		return p.kinds(b, text)
	case "fun":
		c.in = function
	case "obj":
		c.in = object
	case "src":
		c.in = src
	default:
		return p.errorf("%q: write fun:NAME, obj:FILE, src:FILE:LINE or ...", p.line)
	}
	b.calls = append(b.calls, c)
	return nil
}

// kinds reads which leaks are meant. What plumb calls lost is definitely lost there;
// what was lost with an owner goes with it, and is not asked for.
func (p *parser) kinds(b *block, text string) error {
	b.held, b.lost = false, false
	for _, k := range strings.Split(text, ",") {
		switch strings.TrimSpace(k) {
		case "definite":
			b.lost = true
		case "reachable":
			b.held = true
		case "all":
			b.held, b.lost = true, true
		case "indirect", "possible", "none":
		default:
			return p.errorf("%q is no kind of leaks: definite, indirect, possible, reachable, all, none", k)
		}
	}
	return nil
}

// glob is a pattern with * and ?, which must match all of a name.
func glob(text string) *regexp.Regexp {
	q := regexp.QuoteMeta(text)
	q = strings.ReplaceAll(strings.ReplaceAll(q, `\*`, ".*"), `\?`, ".")
	return regexp.MustCompile("(?s)^(?:" + q + ")$")
}

// matches tries the calls as Valgrind would show them: there the allocator is the
// innermost call, and below functions like strdup there is malloc. Calls that were
// inlined it may have seen or not.
func (b *block) matches(a *Allocation) bool {
	if a.Held && !b.held || !a.Held && !b.lost {
		return false
	}
	inlined := slices.DeleteFunc(slices.Clone(a.Frames), func(f report.Frame) bool { return f.Inlined })
	for _, frames := range [][]report.Frame{a.Frames, inlined} {
		by := report.Frame{Function: a.Allocator}
		if match(b.calls, frames) || match(b.calls, slices.Concat([]report.Frame{by}, frames)) || match(b.calls, slices.Concat([]report.Frame{{}, by}, frames)) {
			return true
		}
	}
	return false
}

// match reports whether the innermost frames match the calls; frames that are left
// make no difference. After a mismatch it is enough to give the last "..." one frame
// more: what came before it was matched as early as can be.
func match(calls []call, frames []report.Frame) bool {
	i, last, from := 0, -1, 0
	for j := 0; ; {
		switch {
		case i == len(calls):
			return true
		case calls[i].any:
			last, from = i, j
			i++
		case j < len(frames) && calls[i].is(&frames[j]):
			i++
			j++
		case last < 0 || from >= len(frames):
			return false
		default:
			from++
			i, j = last+1, from
		}
	}
}

// allocators are the functions that the frame below all others, which plumb does not
// record, may be.
var allocators = []string{"malloc", "calloc", "realloc", "reallocarray", "memalign", "aligned_alloc", "posix_memalign", "valloc", "_Znwm", "_Znam"}

func (c *call) is(f *report.Frame) bool {
	switch c.in {
	case function:
		if *f == (report.Frame{}) {
			return slices.ContainsFunc(allocators, c.re.MatchString)
		}
		return slices.ContainsFunc(names(f.Function), c.re.MatchString)
	case object:
		return c.re.MatchString(f.Module)
	}
	if !f.Pos.IsValid() {
		return false
	}
	for _, file := range []string{f.Pos.File, filepath.Base(f.Pos.File)} {
		if c.re.MatchString(file) || c.re.MatchString(fmt.Sprintf("%s:%d", file, f.Pos.Line)) {
			return true
		}
	}
	return false
}
