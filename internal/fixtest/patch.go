// This file makes patches and applies them.

package fixtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Patch is a change of a program.
type Patch struct {
	Diff  []byte
	Notes []string // what its maker says
}

// A Maker mends the copy of a program in dir, which it leaves as it is.
type Maker func(ctx context.Context, p *Program, dir string) (*Patch, error)

// Plumb is plumb fix with these flags; command is how to run plumb.
func Plumb(command []string, flags ...string) Maker {
	return func(ctx context.Context, p *Program, dir string) (*Patch, error) {
		words := slices.Concat(command, []string{"fix"}, flags, p.Units, []string{"--", p.standard()}, p.Flags)
		cmd := exec.CommandContext(ctx, words[0], words[1:]...)
		cmd.Dir = dir
		var out, msg bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &msg
		var exit *exec.ExitError
		if err := cmd.Run(); err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
			return nil, fmt.Errorf("plumb fix: %w\n%s", err, msg.Bytes())
		}
		return &Patch{Diff: out.Bytes(), Notes: slices.Collect(strings.Lines(msg.String()))}, nil
	}
}

// ByHand inserts statements.
func ByHand(insertions []Insertion) Maker {
	return func(ctx context.Context, p *Program, dir string) (*Patch, error) {
		scratch, err := os.MkdirTemp("", "fixtest")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(scratch)
		a, b := filepath.Join(scratch, "a"), filepath.Join(scratch, "b")
		if err := errors.Join(p.Copy(a), p.Copy(b)); err != nil {
			return nil, err
		}
		sorted := slices.SortedStableFunc(slices.Values(insertions), func(x, y Insertion) int { return y.Line - x.Line })
		for _, i := range sorted {
			name := filepath.Join(b, i.File)
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			lines := slices.Collect(strings.Lines(string(text)))
			if i.Line < 1 || i.Line > len(lines) {
				return nil, fmt.Errorf("%s has no line %d", i.File, i.Line)
			}
			lines = slices.Insert(lines, i.Line-1, i.Stmt+"\n")
			if err := os.WriteFile(name, []byte(strings.Join(lines, "")), 0o666); err != nil {
				return nil, err
			}
		}
		cmd := exec.CommandContext(ctx, "git", "diff", "--no-index", "--no-prefix", "--no-color", "a", "b")
		cmd.Dir = scratch
		out, err := cmd.Output()
		var exit *exec.ExitError
		if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
			return nil, err
		}
		return &Patch{Diff: out}, nil
	}
}

// apply changes the files in dir.
func (p *Patch) apply(ctx context.Context, dir string) error {
	cmd := exec.CommandContext(ctx, "git", "apply", "--whitespace=nowarn", "-")
	cmd.Dir = dir
	// A repository around the directory is not what is patched.
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	cmd.Stdin = bytes.NewReader(p.Diff)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git apply: %w\n%s", err, out)
	}
	return nil
}

var (
	newFile = regexp.MustCompile(`^\+\+\+ (?:b/)?([^\t]*)`)
	hunk    = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)
)

// lines tells where a line of a patched file was before. A line that was put in
// place of others is the last of them; one that was only put in is the one above.
func (p *Patch) lines() map[string]func(int) int {
	type move struct{ from, by int } // lines from here on were so many further down
	moves := map[string][]move{}
	var file string
	var old, now, oldLeft, nowLeft int
	for line := range strings.Lines(string(p.Diff)) {
		if oldLeft == 0 && nowLeft == 0 {
			if m := newFile.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
				file = filepath.Base(m[1])
			} else if m := hunk.FindStringSubmatch(line); m != nil {
				old, oldLeft, now, nowLeft = number(m[1]), number(m[2]), number(m[3]), number(m[4])
				if oldLeft == 0 {
					old++ // an empty range is named by the line above it
				}
				moves[file] = append(moves[file], move{now, old - now})
			}
			continue
		}
		switch line[0] {
		case '-':
			old, oldLeft = old+1, oldLeft-1
			moves[file] = append(moves[file], move{now, old - now})
		case '+':
			moves[file] = append(moves[file], move{now, max(1, old-1) - now}, move{now + 1, old - now - 1})
			now, nowLeft = now+1, nowLeft-1
		case '\\': // no newline at the end
		default:
			old, oldLeft, now, nowLeft = old+1, oldLeft-1, now+1, nowLeft-1
		}
	}
	out := map[string]func(int) int{}
	for name, list := range moves {
		out[name] = func(line int) int {
			by := 0
			for _, m := range list {
				if m.from <= line {
					by = m.by
				}
			}
			return line + by
		}
	}
	return out
}

// number is 1 when it is left out, as in the head of a hunk.
func number(s string) int {
	if s == "" {
		return 1
	}
	n, _ := strconv.Atoi(s)
	return n
}
