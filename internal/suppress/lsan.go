// This file holds suppressions in LeakSanitizer's form.

package suppress

import (
	"regexp"
	"slices"
	"strings"
)

// A pattern must occur in the function, the source file or the module of a call.
type pattern struct{ re *regexp.Regexp }

func (p *parser) lsan() (entry, error) {
	kind, text, ok := strings.Cut(p.line, ":")
	switch {
	case !ok || strings.ContainsAny(kind, " \t*/"):
		return nil, p.errorf("%q is no suppression: write leak:PATTERN, or a block in braces as Valgrind has it", p.line)
	case kind != "leak":
		return nil, nil
	case text == "":
		return nil, p.errorf("leak: without a pattern would suppress everything")
	}
	return &pattern{template(text)}, nil
}

// template is the pattern as a regular expression: it may match anywhere, unless it
// begins with ^ or ends with $; * stands for any text.
func template(text string) *regexp.Regexp {
	head, tail := "", ""
	if rest, ok := strings.CutPrefix(text, "^"); ok {
		head, text = "^", rest
	}
	if before, _, ok := strings.Cut(text, "$"); ok {
		tail, text = "$", before
	}
	parts := strings.Split(text, "*")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile("(?s)" + head + strings.Join(parts, ".*") + tail)
}

func (p *pattern) matches(a *Allocation) bool {
	has := func(s string) bool { return s != "" && p.re.MatchString(s) }
	if slices.ContainsFunc(names(a.Allocator), has) {
		return true
	}
	for i := range a.Frames {
		f := &a.Frames[i]
		if has(f.Pos.File) || has(f.Module) || slices.ContainsFunc(names(f.Function), has) {
			return true
		}
	}
	return false
}
