// This file measures phases.

package driver

import (
	"fmt"
	"syscall"
	"time"

	"github.com/plumb-project/plumb/internal/report"
)

// A Stat is what one phase cost.
type Stat struct {
	report.Phase
	Counts string // what the phase made
}

// String prints a line of --debug.phases.
//
//	lower        0.041s wall   0.078s cpu   0.000s children    34.1 MB peak  12 units, 340 functions
func (s Stat) String() string {
	return fmt.Sprintf("%-9s %8.3fs wall %8.3fs cpu %8.3fs children %8.1f MB peak  %s",
		s.Name, s.Wall.Seconds(), s.CPU.Seconds(), s.Children.Seconds(), float64(s.Peak)/1e6, s.Counts)
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
	return Stat{report.Phase{Name: phase, Wall: time.Since(m.start), CPU: cpu - m.cpu, Children: children - m.children, Peak: peak}, counts}
}

// usage asks the system for CPU time and peak memory.
func usage(who int) (cpu time.Duration, peak int64) {
	var u syscall.Rusage
	if syscall.Getrusage(who, &u) != nil {
		return 0, 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), u.Maxrss * 1024
}
