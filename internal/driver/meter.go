// This file measures phases.

package driver

import (
	"fmt"
	"syscall"
	"time"
)

// A Stat is what one phase cost.
type Stat struct {
	Phase    string
	Wall     time.Duration
	CPU      time.Duration // of plumb itself
	Children time.Duration // CPU time of compilers and builds it waited for
	Peak     int64         // most memory plumb has held at any time so far, bytes
	Counts   string        // what the phase made
}

// String prints a line of --debug.phases.
//
//	lower        0.041s wall   0.078s cpu   0.000s children    34.1 MB peak  12 units, 340 functions
func (s Stat) String() string {
	return fmt.Sprintf("%-9s %8.3fs wall %8.3fs cpu %8.3fs children %8.1f MB peak  %s",
		s.Phase, s.Wall.Seconds(), s.CPU.Seconds(), s.Children.Seconds(), float64(s.Peak)/1e6, s.Counts)
}

// A meter runs during one phase.
type meter struct {
	start         time.Time
	cpu, children time.Duration
}

func startMeter() meter {
	cpu, _ := usage(syscall.RUSAGE_SELF)
	children, _ := usage(syscall.RUSAGE_CHILDREN)
	return meter{time.Now(), cpu, children}
}

func (m meter) stop(phase, counts string) Stat {
	cpu, peak := usage(syscall.RUSAGE_SELF)
	children, _ := usage(syscall.RUSAGE_CHILDREN)
	return Stat{phase, time.Since(m.start), cpu - m.cpu, children - m.children, peak, counts}
}

// usage asks the system for CPU time and peak memory.
func usage(who int) (cpu time.Duration, peak int64) {
	var u syscall.Rusage
	if syscall.Getrusage(who, &u) != nil {
		return 0, 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), u.Maxrss * 1024
}
