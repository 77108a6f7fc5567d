package capture

// This file asks clang for its warnings about a unit.

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Warning is one remark of clang.
type Warning struct {
	File      string // absolute
	Line, Col int
	Text      string // "unused variable 'x' [-Wunused-variable]"
}

// Warnings gives what clang warns of in the unit with this index when files have
// these contents: with -Wall, -Wextra and the warnings that the project asks for
// itself. Errors count as warnings.
func (r *Result) Warnings(ctx context.Context, unit int, files map[string][]byte) ([]Warning, error) {
	u := &r.Units[unit]
	if u.job == nil {
		return nil, nil
	}
	j := u.job
	over := r.seen(u, files)
	if over == nil {
		over = files
	}
	return remember(&r.overlays.mu, &r.overlays.warns, r.contents(unit, over, files), func() ([]Warning, error) {
		res, _, err := r.compiler.attempt(ctx, j, over, func(flags []flag, attrs []string) []string {
			return slices.Concat(j.start(), attrs, words(flags), warningFlags, j.warnings(), afterWarnings, j.end())
		})
		if err != nil {
			return nil, err
		}
		return parseWarnings(j.dir, res.stderr), nil
	})
}

var warningFlags = []string{"-Wall", "-Wextra"}

// afterWarnings make clang say all of it, in a form that is easily read.
var afterWarnings = []string{
	"-Wno-error", "-Wno-unknown-warning-option", "-Qunused-arguments", "-ferror-limit=0", "-fno-caret-diagnostics",
	"-fno-color-diagnostics", "-fno-crash-diagnostics", "-fsyntax-only",
}

// warnings are the options of the unit's command that ask for warnings or against
// them. What the project has as errors are warnings like others.
func (j *job) warnings() []string {
	var out []string
	for args := j.argv; len(args) > 1; {
		args = args[1:]
		_, n := classify(args)
		w := args[0]
		args = args[n-1:]
		switch {
		case n > 1:
		case w == "-pedantic" || w == "-pedantic-errors" || w == "--pedantic":
			out = append(out, "-pedantic")
		case w == "-Werror" || w == "-Wno-error" || strings.HasPrefix(w, "-Wno-error=") || w == "-Wfatal-errors":
		case strings.HasPrefix(w, "-Werror="):
			out = append(out, "-W"+strings.TrimPrefix(w, "-Werror="))
		case strings.HasPrefix(w, "-W") && !strings.Contains(w, ","):
			out = append(out, w)
		}
	}
	return out
}

// message matches one message of clang.
var message = regexp.MustCompile(`(?m)^(.+?):(\d+):(\d+): (?:warning|error|fatal error): (.*)$`)

// parseWarnings reads messages; notes that belong to them are left out.
func parseWarnings(dir, stderr string) []Warning {
	var out []Warning
	for _, m := range message.FindAllStringSubmatch(stderr, -1) {
		line, _ := strconv.Atoi(m[2])
		col, _ := strconv.Atoi(m[3])
		out = append(out, Warning{File: absolute(dir, m[1]), Line: line, Col: col, Text: m[4]})
	}
	return out
}
