// This file runs programs and sees what they do.

package fixtest

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/plumb-project/plumb/internal/oracle"
)

// A Sight is what was seen of one run.
type Sight struct {
	Out    string
	Status string         // how it ended
	Errors []string       // what it did wrong with memory, apart from losing it
	Blocks int            // how many LeakSanitizer says it lost
	Lost   map[string]int // how many were lost, by the program's calls to the allocation; nil when that is not known
	Open   int            // descriptors
	Calls  int            // that may fail
}

// patience is how long a run may take; all of them are short.
const patience = 60 * time.Second

// start runs a program, after these words. Its output is that of standard output
// alone. Some print how they were called, which must not differ.
func start(ctx context.Context, s *Sight, r Run, dir string, env []string, exe string, words ...string) error {
	if err := os.Symlink(exe, filepath.Join(dir, "program")); err != nil {
		return err
	}
	words = append(words, "./program")
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	end := filepath.Join(dir, "end")
	os.Remove(end)
	cmd := exec.CommandContext(ctx, words[0], append(words[1:], r.Args...)...)
	cmd.Env = append(append(os.Environ(), "FIXTEST_END="+end), env...)
	cmd.Stdin = strings.NewReader(r.Stdin)
	cmd.Dir = dir
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout = &out
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		s.Status = "no end"
	case err != nil && !errors.As(err, &exit):
		return fmt.Errorf("%q: %w", words, err)
	default:
		s.Status = cmd.ProcessState.String()
	}
	s.Out = out.String()
	if text, err := os.ReadFile(end); err == nil {
		fmt.Sscan(string(text), &s.Open, &s.Calls)
	}
	return nil
}

var (
	asanError = regexp.MustCompile(`(?m)^==\d+==ERROR: AddressSanitizer: (.+?)(?: on (?:unknown )?address.*)?$`)
	leaked    = regexp.MustCompile(`(?m)^SUMMARY: AddressSanitizer: \d+ byte\(s\) leaked in (\d+) allocation`)
	numbers   = regexp.MustCompile(`0x[0-9a-f]+`)
)

// asan runs a program that was built with AddressSanitizer. Unless where is nil,
// which names the places in its files, it also says what was lost.
func asan(ctx context.Context, exe string, r Run, where func(file string, line int) string) (*Sight, error) {
	dir, err := os.MkdirTemp(filepath.Dir(exe), "run")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	env := []string{
		"ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:log_path=" + filepath.Join(dir, "asan") + ":symbolize=" + map[bool]string{true: "1", false: "0"}[where != nil],
		"LSAN_OPTIONS=exitcode=0",
		"FIXTEST_FAIL=" + strconv.Itoa(r.Fail),
	}
	if path, err := exec.LookPath("llvm-symbolizer-19"); err == nil {
		env = append(env, "ASAN_SYMBOLIZER_PATH="+path)
	}
	s := &Sight{}
	if err := start(ctx, s, r, dir, env, exe); err != nil {
		return nil, err
	}
	logs, err := filepath.Glob(filepath.Join(dir, "asan.*"))
	for _, name := range logs {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for _, m := range asanError.FindAllSubmatch(text, -1) {
			s.Errors = append(s.Errors, numbers.ReplaceAllString(string(m[1]), "..."))
		}
		for _, m := range leaked.FindAllSubmatch(text, -1) {
			k, _ := strconv.Atoi(string(m[1]))
			s.Blocks += k
		}
		if where != nil {
			s.Lost = lostAt(string(text), where)
		}
	}
	return s, err
}

var (
	lostHead  = regexp.MustCompile(`^(?:Direct|Indirect) leak of \d+ byte\(s\) in (\d+) object`)
	lostFrame = regexp.MustCompile(`^ +#\d+ .* ([^ :]+):(\d+)(?::\d+)?$`)
)

// lostAt reads what LeakSanitizer says was lost.
func lostAt(report string, where func(file string, line int) string) map[string]int {
	out := map[string]int{}
	blocks := 0
	var calls []string
	for line := range strings.Lines(report + "\n\n") {
		line = strings.TrimRight(line, "\n")
		if m := lostHead.FindStringSubmatch(line); m != nil {
			blocks, _ = strconv.Atoi(m[1])
		} else if m := lostFrame.FindStringSubmatch(line); m != nil {
			if at := where(filepath.Base(m[1]), number(m[2])); at != "" {
				calls = append(calls, at)
			}
		} else if blocks > 0 {
			out[strings.Join(calls, " < ")] += blocks
			blocks, calls = 0, nil
		}
	}
	return out
}

// valgrindFlags: what a global still holds is not lost, nor what is only held by a
// pointer into its middle. Values that were never set are no concern of a patch.
var valgrindFlags = []string{"--leak-check=full", "--show-leak-kinds=definite,indirect", "--errors-for-leak-kinds=none", "--undef-value-errors=no",
	"--num-callers=40", "--read-inline-info=no", "--child-silent-after-fork=yes", "-q"}

// valgrind runs a program that was built plainly. Places are those of its own
// files, named by where.
func valgrind(ctx context.Context, tool, exe string, r Run, where func(file string, line int) string) (*Sight, error) {
	dir, err := os.MkdirTemp(filepath.Dir(exe), "run")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "valgrind.xml")
	words := append([]string{tool, "--xml=yes", "--xml-file=" + file}, valgrindFlags...)
	s := &Sight{Lost: map[string]int{}}
	if err := start(ctx, s, r, dir, nil, exe, words...); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var report struct {
		Errors []oracle.Complaint `xml:"error"`
	}
	if err := xml.Unmarshal(data, &report); err != nil && s.Status != "no end" {
		return nil, fmt.Errorf("valgrind's answer: %w", err)
	}
	for _, c := range report.Errors {
		if !strings.HasPrefix(c.Kind, "Leak_") {
			s.Errors = append(s.Errors, c.Kind)
			continue
		}
		var calls []string
		for _, f := range c.Frames {
			if at := where(f.File, f.Line); at != "" {
				calls = append(calls, at)
			}
		}
		s.Lost[strings.Join(calls, " < ")] += int(c.XWhat.Blocks)
	}
	return s, nil
}
