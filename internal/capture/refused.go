package capture

// This file finds out which options clang refuses. gcc has hundreds that
// clang does not know, and each clang knows others, so there is no list:
// clang is asked, and what it complains of is left out.

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// refusals are the flags that this run's clang refused. Shared between
// units, so that each flag costs one failed start of clang and not one per
// unit. The zero value is empty.
type refusals struct {
	mu  sync.Mutex
	set map[string]bool // flag words joined by a space
}

func (r *refusals) add(flags []flag) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.set == nil {
		r.set = make(map[string]bool)
	}
	for _, f := range flags {
		r.set[f.String()] = true
	}
}

// apply returns the flags without those refused, and these.
func (r *refusals) apply(flags []flag) (rest []flag, dropped []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range flags {
		for r.set[f.String()] {
			dropped = append(dropped, f.String())
			if f = olderStd(f); f == nil {
				break
			}
		}
		if f != nil {
			rest = append(rest, f)
		}
	}
	return rest, dropped
}

// replay applies what apply dropped, from the cache's memory of it.
func replay(flags []flag, dropped []string) []flag {
	r := refusals{set: make(map[string]bool)}
	for _, d := range dropped {
		r.set[d] = true
	}
	rest, _ := r.apply(flags)
	return rest
}

func (f flag) String() string { return strings.Join(f, " ") }

// olderStd returns the name an older clang has for a language standard, or
// nil.
func olderStd(f flag) flag {
	std, ok := strings.CutPrefix(f[0], "-std=")
	if !ok {
		return nil
	}
	for _, p := range [][2]string{{"2y", "23"}, {"23", "2x"}, {"++26", "++2c"}, {"++2c", "++23"}, {"++23", "++2b"}, {"++2b", "++20"}, {"++20", "++2a"}} {
		isCXX := strings.Contains(std, "++")
		if base, ok := strings.CutSuffix(std, p[0]); ok && strings.HasPrefix(p[0], "++") == isCXX {
			return flag{"-std=" + base + p[1]}
		}
	}
	return nil
}

// optionError matches clang's complaints about the command line. They have
// no file and line, and may start with clang's name.
var optionError = regexp.MustCompile(`(?m)^(?:[^\s:]+: )?(?:fatal )?error: (.*)$`)

// quoted matches what clang quotes in a message.
var quoted = regexp.MustCompile(`'([^']*)'`)

// refusedBy returns those flags that clang's messages complain of.
func refusedBy(stderr string, flags []flag) []flag {
	var out []flag
	for _, m := range optionError.FindAllStringSubmatch(stderr, -1) {
		var names []string
		for _, q := range quoted.FindAllStringSubmatch(m[1], -1) {
			names = append(names, q[1])
		}
		for _, f := range flags {
			if isMeant(f, names) && !slices.ContainsFunc(out, func(g flag) bool { return slices.Equal(f, g) }) {
				out = append(out, f)
			}
		}
	}
	return out
}

// isMeant reports whether a message that quotes these names is about the flag:
//
//	unknown argument: '-fipa-pta'
//	unsupported argument 'foo' to option '-fcf-protection='
//	unsupported option '-mabi=' for target 'x86_64-pc-linux-gnu'
//	unknown target CPU 'bogus'
//
// Macros and include paths are never dropped: without them it is another
// program.
func isMeant(f flag, names []string) bool {
	word := f[0]
	if c, _ := classify([]string{word}); c == keep && (separate[word] == keep || joinedKeep(word)) {
		return false
	}
	if word == "-Xclang" && len(f) == 2 {
		word = f[1]
	}
	option, value, hasValue := strings.Cut(word, "=")
	for i, n := range names {
		dashed := "-" + strings.TrimLeft(n, "-")
		switch {
		case n == "":
		case n == word || dashed == word:
			return true
		case hasValue && dashed == option+"=":
			return true
		case hasValue && n == value && (len(names) == 1 || i == 0 && strings.HasPrefix(option, "-m")):
			return true // a value alone: the name of a processor
		}
	}
	return false
}

// joinedKeep reports whether the word is -Dx, -Ix or their like.
func joinedKeep(word string) bool {
	for _, p := range []string{"-D", "-U", "-I", "-i"} {
		if strings.HasPrefix(word, p) {
			return true
		}
	}
	return false
}

// dropNotes says which flags were left out.
func dropNotes(dropped []string) []string {
	var out []string
	for _, d := range dropped {
		out = append(out, d+": clang refuses this flag, dropped")
	}
	return out
}
