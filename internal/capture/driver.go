package capture

// This file knows compilers by their names: what a driver is called, which
// programs stand in front of one, and what the name says about the language
// and the target.

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A driver is what the name of a compiler says.
type driver struct {
	cxx    bool   // compiles .c as C++, as g++ does
	target string // from a cross compiler's name: aarch64-linux-gnu; "" is the host
	std    string // language standard that c89 and c99 stand for
}

// driverName matches the file name of a compiler driver: an optional target,
// the tool, an optional version. It must not match gcc-ar or clang-format.
var driverName = regexp.MustCompile(`^(?:(.+)-)?(cc|gcc|clang|c\+\+|g\+\+|clang\+\+|c89|c99)(?:-\d+(?:\.\d+)*)?$`)

// isDriver reports whether a program of this name is a compiler driver.
func isDriver(path string) bool { return driverName.MatchString(filepath.Base(path)) }

// driverOf reads a compiler's name; an unknown one is taken for a C compiler
// unless it looks like a C++ compiler (em++, icpx).
func driverOf(path string) driver {
	base := filepath.Base(path)
	m := driverName.FindStringSubmatch(base)
	if m == nil {
		cxx := strings.Contains(base, "++") || strings.HasSuffix(base, "cxx") || base == "icpc" || base == "icpx"
		return driver{cxx: cxx}
	}
	d := driver{cxx: strings.HasSuffix(m[2], "++")}
	if strings.Contains(m[1], "-") { // a target has parts; musl-gcc and c99-gcc name none
		d.target = m[1]
	}
	switch {
	case m[2] == "c89" || m[1] == "c89":
		d.std = "-std=c89"
	case m[2] == "c99" || m[1] == "c99":
		d.std = "-std=c99"
	}
	return d
}

// launchers run the compiler that follows them on the command line.
var launchers = []string{"ccache", "distcc", "sccache", "icecc", "icerun", "pump"}

// isLauncher reports whether a program of this name runs a compiler named in
// its arguments.
func isLauncher(path string) bool { return slices.Contains(launchers, filepath.Base(path)) }

// stripLaunchers returns the part of argv that starts with the compiler:
//
//	/usr/bin/env LC_ALL=C ccache gcc -c a.c               gcc -c a.c
//	/bin/sh ./libtool --tag=CC --mode=compile gcc -c a.c  gcc -c a.c
//	cd sub && gcc -c a.c                                  gcc -c a.c
//
// A command that starts with none of these is returned as it is, whatever
// its first word: the user may call the compiler what he likes.
func stripLaunchers(argv []string) []string {
	for i := len(argv) - 1; i >= 0; i-- { // the compiler stands in the last command of a list
		if (argv[i] == "&&" || argv[i] == ";") && slices.ContainsFunc(argv[i+1:], isDriver) {
			argv = argv[i+1:]
			break
		}
	}
	for i, a := range argv {
		if !isFront(a) {
			if i > 0 && strings.HasPrefix(a, "-") { // an option of libtool, env or nice
				continue
			}
			return argv[i:]
		}
	}
	return argv
}

// isFront reports whether the word can stand in front of a compiler.
func isFront(word string) bool {
	switch filepath.Base(word) {
	case "env", "libtool", "sh", "bash", "dash", "time", "nice", "glibtool":
		return true
	}
	name, _, assign := strings.Cut(word, "=")
	return isLauncher(word) || assign && name != "" && !strings.ContainsAny(name, "-/.")
}
