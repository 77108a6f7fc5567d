// Package cputime has what the tools that measure have in common: CPU time of
// processes, and the median of several measurements.
package cputime

import (
	"os"
	"slices"
	"syscall"
	"time"
)

// Samples are times of the same work.
type Samples []time.Duration

// Median is the middle one, of an even number the upper of the two.
func (s Samples) Median() time.Duration {
	t := slices.Sorted(slices.Values(s))
	return t[len(t)/2]
}

// Of is the CPU time of a process and of those it waited for, user and system.
func Of(p *os.ProcessState) time.Duration { return p.UserTime() + p.SystemTime() }

// Used is the CPU time of this process, or of its children so far.
func Used(who int) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		panic(err) // only a bad argument fails
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
