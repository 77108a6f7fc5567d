package run

// This file writes the runtime's settings; docs/runtime-report.md lists them.

import (
	"fmt"
	"strings"
)

// Options are the settings of the runtime. The zero value leaves all to it.
type Options struct {
	Kinds      []string // lost, forgotten; nil for both
	OnLeak     string   // report, break, exit
	AfterBytes int64    // act and report only when so much is lost
	ExitCode   int      // of processes that lost memory, if they end with 0; 0 leaves theirs
	Signal     int      // that asks for a check; 0 for none
	FastExit   bool     // _exit reports too
	Mmap       bool     // anonymous mappings are blocks
	Only       bool     // track only what the units ask for
	Depth      int      // frames of code without sites; 0 leaves it to the runtime
}

// String is the value of PLUMB_OPTIONS, with reports going to dir.
func (o *Options) String(dir string) string {
	parts := []string{"out=" + dir}
	add := func(when bool, format string, args ...any) {
		if when {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	add(len(o.Kinds) > 0, "kinds=%s", strings.Join(o.Kinds, ","))
	add(o.OnLeak != "", "on_leak=%s", o.OnLeak)
	add(o.AfterBytes > 0, "after_bytes=%d", o.AfterBytes)
	add(o.ExitCode > 0, "exit_code=%d", o.ExitCode)
	add(o.Signal > 0, "signal=%d", o.Signal)
	add(o.FastExit, "exit=1")
	add(o.Mmap, "mmap=1")
	add(o.Only, "only=1")
	add(o.Depth > 0, "depth=%d", o.Depth)
	return strings.Join(parts, ":")
}
