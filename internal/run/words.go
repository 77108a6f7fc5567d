package run

// This file tells the words of plumb run's command line apart.

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/plumb-project/plumb/internal/capture"
)

// Words is a command line without plumb's own flags.
type Words struct {
	Build   []string // sources, flags of the compiler, libraries
	Program []string // program and its arguments; with Build only the arguments
}

// Split takes the words of a command line apart: flags of plumb, told by own, which
// says how many words the flag at the start of its argument has (0: none of ours),
// and the rest.
//
//	--kinds lost -O2 -Iinc a.c -lm -- x y    own: --kinds lost; build: -O2 -Iinc a.c -lm; program: x y
//	--kinds lost ./prog --kinds x            own: --kinds lost; program: ./prog --kinds x
//
// Flags with one dash that are not plumb's are the compiler's. The first word that
// is no flag decides: a source, object or library to build with, or a program to run.
func Split(args []string, own func([]string) int) (ours []string, w Words, err error) {
	sources := false
	for len(args) > 0 {
		a := args[0]
		if a == "--" {
			args = args[1:]
			if !sources && len(w.Build) == 0 && len(args) > 0 && IsInput(args[0]) {
				continue // a -- that only ends the flags
			}
			break
		}
		n := own(args)
		switch {
		case n > 0:
			n = min(n, len(args))
			ours = append(ours, args[:n]...)
		case strings.HasPrefix(a, "-") && len(a) > 1:
			n = len(capture.Options(".", args[:min(2, len(args))])[0].Words)
			w.Build = append(w.Build, args[:n]...)
		case IsInput(a) || len(w.Build) > 0 && strings.HasPrefix(a, "@"):
			n, sources = 1, true
			w.Build = append(w.Build, a)
		case sources:
			return nil, w, fmt.Errorf("%s is no source, object or library; arguments of the program go behind --", a)
		case len(w.Build) > 0:
			return nil, w, fmt.Errorf("%s is for the compiler, but %s is no source file", w.Build[0], a)
		default:
			w.Program = args
			return ours, w, nil
		}
		args = args[n:]
	}
	if len(w.Build) > 0 && !slices.ContainsFunc(w.Build, IsInput) {
		return nil, w, fmt.Errorf("%s is for the compiler, but no source file is named", w.Build[0])
	}
	w.Program = args
	return ours, w, nil
}

// IsInput reports whether a file is something to build a program from, by its name.
func IsInput(name string) bool {
	return IsSource(name) || slices.Contains([]string{".o", ".a", ".lo", ".so", ".bc", ".ll"}, filepath.Ext(name)) && !strings.HasPrefix(name, "-")
}

// ParseSignal reads a signal: USR1, SIGUSR1 or 10.
func ParseSignal(s string) (int, error) {
	if n, err := strconv.Atoi(s); err == nil && n > 0 && n < 65 {
		return n, nil
	}
	name := strings.ToUpper(s)
	if !strings.HasPrefix(name, "SIG") {
		name = "SIG" + name
	}
	if n := unix.SignalNum(name); n != 0 && n != syscall.SIGKILL && n != syscall.SIGSTOP {
		return int(n), nil
	}
	return 0, fmt.Errorf("%q is no signal that a program can take; use a name or number, such as USR1", s)
}
