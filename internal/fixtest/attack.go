// This file puts releases where they need not belong.

package fixtest

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/patch"
)

var (
	declared  = regexp.MustCompile(`^\s+(char|struct node|FILE) \*(\w+) = `)
	beginning = regexp.MustCompile(`^\w.*\((.*)\)$`)
	control   = regexp.MustCompile(`^\s*(if|for|while|else)\b[^{]*$`)
)

// Releases returns patches of a random program that put in one release each, of a
// variable that was declared further up in the function. Where and of which is
// left to chance, but for places before jumps and ends of blocks, which are more
// likely to be right. Some do not compile, as the variable has gone out of scope.
func Releases(source, file string, n int, r *rand.Rand) ([]*patch.Patch, error) {
	lines := strings.SplitAfter(strings.TrimPrefix(source, prelude), "\n")
	offset := len(source) - len(strings.Join(lines, ""))
	type variable struct {
		depth   int    // of its block, by indentation
		release string // as a statement
	}
	var vars []variable // in scope
	type place struct {
		at   int
		text string
	}
	var all []place
	for i, line := range lines {
		if m := beginning.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			vars = nil
			if strings.HasSuffix(m[1], "char *given") && !strings.HasPrefix(m[1], "const") {
				vars = []variable{{0, "free(given);"}}
			}
		}
		word := strings.TrimSpace(line)
		depth := len(line) - len(strings.TrimLeft(line, " \t"))
		if word != "" && !strings.HasSuffix(word, ":") { // labels stand further left
			vars = slices.DeleteFunc(vars, func(v variable) bool { return depth < v.depth && word != "}" })
		}
		likely := strings.HasPrefix(word, "return") || strings.HasPrefix(word, "goto") || word == "}" || word == "break;" || word == "continue;"
		inside := len(line) > 0 && (line[0] == ' ' || line[0] == '\t') && word != "{" && !strings.HasPrefix(word, "case ") && !strings.HasPrefix(word, "default:") && !strings.HasPrefix(word, "else") && !strings.HasPrefix(word, "} ")
		if inside && i > 0 && !control.MatchString(strings.TrimRight(lines[i-1], "\n")) {
			for _, v := range vars {
				for k := 0; k == 0 || likely && k < 4; k++ {
					all = append(all, place{offset, v.release})
				}
			}
		}
		if word == "}" {
			vars = slices.DeleteFunc(vars, func(v variable) bool { return depth < v.depth })
		}
		if m := declared.FindStringSubmatch(line); m != nil {
			format := map[string]string{"char": "free(%s);", "struct node": "node_free(%s);", "FILE": "if (%[1]s) fclose(%[1]s);"}[m[1]]
			vars = append(vars, variable{depth, fmt.Sprintf(format, m[2])})
		}
		offset += len(line)
	}
	var out []*patch.Patch
	for range min(n, len(all)) {
		p := all[r.IntN(len(all))]
		made, err := patch.New([]patch.Edit{{File: filepath.Clean(file), Start: p.at, End: p.at, New: p.text + "\n"}},
			func(string) ([]byte, error) { return []byte(source), nil })
		if err != nil {
			return nil, err
		}
		out = append(out, made)
	}
	return out, nil
}
