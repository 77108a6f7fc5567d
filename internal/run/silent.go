package run

// This file finds out why a program wrote no report.

import (
	"debug/elf"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// silence says why there is no report, as far as that can be seen.
func silence(argv []string, s Status) string {
	switch {
	case s.Signal == syscall.SIGKILL:
		return "it was killed by SIGKILL, which leaves no time for a report"
	case s.Signal != 0:
		return "it was killed by " + unix.SignalName(s.Signal)
	case s.Code == 127:
		return "it did not start"
	}
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return ""
	}
	if st, err := os.Stat(path); err == nil && st.Mode()&(os.ModeSetuid|os.ModeSetgid) != 0 {
		return "it runs with the rights of another user, and such programs take no runtime from outside"
	}
	f, err := elf.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	if f.Class != elf.ELFCLASS64 || f.Machine != elf.EM_X86_64 {
		return "it is not a program for x86-64"
	}
	if hasSanitizer(f) {
		return "it has a sanitizer with a malloc of its own"
	}
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			return "it ended without its exit handlers; --fast-exit reports at _exit, too"
		}
	}
	return "it is linked with -static and takes no runtime from outside; build it with plumb cc -static"
}

// hasSanitizer reports whether the program has one of those that replace malloc:
// as a library (gcc) or in itself (clang).
func hasSanitizer(f *elf.File) bool {
	libs, _ := f.ImportedLibraries()
	for _, lib := range libs {
		for _, name := range []string{"libasan.", "libtsan.", "liblsan.", "libhwasan."} {
			if strings.HasPrefix(lib, name) {
				return true
			}
		}
	}
	syms, _ := f.DynamicSymbols()
	return slices.ContainsFunc(syms, func(s elf.Symbol) bool {
		return slices.Contains([]string{"__asan_init", "__tsan_init", "__lsan_init", "__msan_init", "__hwasan_init"}, s.Name)
	})
}
