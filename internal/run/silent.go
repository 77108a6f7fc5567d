package run

// This file finds out why a program wrote no report.

import (
	"debug/elf"
	"os"
	"os/exec"
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
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			return "it ended without its exit handlers; --fast-exit reports at _exit, too"
		}
	}
	return "it is linked with -static and takes no runtime from outside; build it with plumb cc -static"
}
