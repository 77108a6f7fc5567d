// This file begins and ends a run: progress, notes, timings and profiles.

package cli

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plumb-project/plumb/internal/driver"
)

// debugFlags are for people who work on plumb.
type debugFlags struct {
	phases     bool
	cpuProfile string
	memProfile string
	verify     *bool
}

func (d *debugFlags) flags() *pflag.FlagSet {
	fs := pflag.NewFlagSet("Debugging plumb", pflag.ContinueOnError)
	fs.BoolVar(&d.phases, "debug.phases", false, "print time, memory and counts of each phase")
	d.verify = fs.Bool("debug.verify", false, "check the program between phases")
	fs.StringVar(&d.cpuProfile, "debug.cpuprofile", "", "write a CPU profile to `FILE`")
	fs.StringVar(&d.memProfile, "debug.memprofile", "", "write a memory profile to `FILE`")
	return fs
}

// begin prepares a run. The function it returns ends it, and adds its own
// failure to the error of the run.
func (c *common) begin(cmd *cobra.Command) (stop func(*error), err error) {
	cfg := &c.cfg
	cfg.Verify = *c.debug.verify
	bar := newBar(cmd.ErrOrStderr())
	cfg.Stdout, cfg.Stderr = bar, bar // of a build: its stdout is not plumb's answer
	if !c.quiet && isTerminal(cmd.ErrOrStderr()) {
		cfg.Progress = bar
	}
	if c.verbose {
		cfg.Note = func(msg string) { fmt.Fprintf(bar, "note: %s\n", msg) }
	}
	if c.debug.phases {
		cfg.Timing = func(s driver.Stat) { fmt.Fprintln(bar, s) }
	}
	stopCPU, err := startCPUProfile(c.debug.cpuProfile)
	if err != nil {
		return nil, err
	}
	return func(runErr *error) {
		bar.Finish()
		*runErr = errors.Join(*runErr, stopCPU(), writeMemProfile(c.debug.memProfile))
	}, nil
}

func startCPUProfile(file string) (stop func() error, err error) {
	if file == "" {
		return func() error { return nil }, nil
	}
	f, err := os.Create(file)
	if err != nil {
		return nil, fmt.Errorf("CPU profile: %w", err)
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("CPU profile: %w", err)
	}
	return func() error {
		pprof.StopCPUProfile()
		return f.Close()
	}, nil
}

func writeMemProfile(file string) error {
	if file == "" {
		return nil
	}
	f, err := os.Create(file)
	if err != nil {
		return fmt.Errorf("memory profile: %w", err)
	}
	runtime.GC() // so that live data is what is live now
	return errors.Join(pprof.Lookup("allocs").WriteTo(f, 0), f.Close())
}
