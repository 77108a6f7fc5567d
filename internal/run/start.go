package run

// This file runs a process and stands between it and its user.

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A Status is how a process ended.
type Status struct {
	Code   int            // exit status
	Signal syscall.Signal // that killed it; 0 for none
}

// A Process is one that was left behind.
type Process struct {
	PID  int
	Name string
}

// start runs the program to its end, and waits for what it leaves behind if it is
// asked to.
func start(argv, env []string, wait bool) (int, Status, []Process, error) {
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return 0, Status{}, nil, notFound(argv[0], err)
	}
	// Orphans come to this process, so that they are known. Where the kernel
	// cannot, they are not.
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, forwarded()...)
	defer signal.Stop(signals)
	pid, err := syscall.ForkExec(path, argv, &syscall.ProcAttr{Env: env, Files: []uintptr{0, 1, 2}})
	if err != nil {
		return 0, Status{}, nil, fmt.Errorf("cannot run %s: %w", argv[0], err)
	}
	go func() {
		for s := range signals {
			if !fromTerminal(s) {
				_ = syscall.Kill(pid, s.(syscall.Signal)) // it may be gone already
			}
		}
	}()
	status, err := waitAll(pid, wait)
	return pid, status, orphans(), err
}

func notFound(name string, err error) error {
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, exec.ErrDot) {
		if _, serr := os.Stat(name); serr == nil && !strings.Contains(name, "/") {
			return fmt.Errorf("%s: not found on PATH; the one here is ./%s", name, name)
		}
		return fmt.Errorf("%s: not found on PATH", name)
	}
	return fmt.Errorf("cannot run %w", err)
}

// waitAll takes in all children until the one of interest ends, or, if all is
// set, until there are none.
func waitAll(pid int, all bool) (Status, error) {
	var status Status
	for ended := false; ; {
		var ws syscall.WaitStatus
		got, err := syscall.Wait4(-1, &ws, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.ECHILD) && ended:
			return status, nil
		case err != nil:
			return status, fmt.Errorf("wait: %w", err)
		}
		if got == pid && (ws.Exited() || ws.Signaled()) {
			ended = true
			status.Code = ws.ExitStatus()
			if ws.Signaled() {
				status.Signal = ws.Signal()
			}
			if !all {
				return status, nil
			}
		}
	}
}

// orphans are the processes that still run.
func orphans() []Process {
	for { // those that ended meanwhile
		if got, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); got <= 0 && !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	self := strconv.Itoa(os.Getpid())
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	var out []Process
	for _, file := range files {
		text, _ := os.ReadFile(file) // it may have ended
		// 4711 (name of it) S 1 ...: state and parent stand behind the last bracket
		head, tail, ok := strings.Cut(string(text), " (")
		end := strings.LastIndex(tail, ") ")
		if !ok || end < 0 {
			continue
		}
		pid, err := strconv.Atoi(head)
		if f := strings.Fields(tail[end+2:]); err == nil && len(f) > 1 && f[0] != "Z" && f[1] == self {
			out = append(out, Process{pid, tail[:end]})
		}
	}
	slices.SortFunc(out, func(a, b Process) int { return a.PID - b.PID })
	return out
}

// forwarded are the signals that the program gets from us. One that plumb was
// started to ignore, as under nohup, the program ignores too.
func forwarded() []os.Signal {
	var out []os.Signal
	for _, s := range []syscall.Signal{
		syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM, syscall.SIGWINCH,
	} {
		if !signal.Ignored(s) {
			out = append(out, s)
		}
	}
	return out
}

// fromTerminal reports whether the terminal has sent the signal, so that the
// program has it already: it is in the same process group.
func fromTerminal(s os.Signal) bool {
	switch s {
	case syscall.SIGINT, syscall.SIGQUIT, syscall.SIGHUP, syscall.SIGWINCH:
	default:
		return false
	}
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return false
	}
	defer tty.Close()
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err == nil && group == syscall.Getpgrp()
}

// Die ends this process as the program ended: by the same signal, so that
// whoever waits for it sees what he would have seen.
func (s Status) Die() int {
	if s.Signal == 0 {
		return s.Code
	}
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}) // the program has dumped its own
	var action [4]uint64                                          // the default one; Go's own handler would print a stack
	syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(s.Signal), uintptr(unsafe.Pointer(&action)), 0, 8, 0, 0)
	_ = syscall.Kill(os.Getpid(), s.Signal)
	select {} // until it comes
}
