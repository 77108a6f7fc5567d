package main

// This file is the process that lowers, and its parent's side. A fresh process
// has no heap grown by an earlier run, as plumb has none.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/plumb-project/plumb/internal/lower"
)

// A cost is what the child prints.
type cost struct {
	CPU  time.Duration
	Peak int64 // growth of resident memory, bytes
}

// runLower lowers in a child, and keeps the largest peak seen.
func (r *runner) runLower(ctx context.Context) (time.Duration, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, self, "-child", r.tmp)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("lower: %w", err)
	}
	var c cost
	if err := json.Unmarshal(out, &c); err != nil {
		return 0, err
	}
	r.peak = max(r.peak, c.Peak)
	return c.CPU, nil
}

// lowerChild lowers the bitcode files of a directory and prints a cost.
func lowerChild(ctx context.Context, dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.bc"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no bitcode in %s: %w", dir, errors.Join(err, os.ErrNotExist))
	}
	units := make([]lower.Unit, len(files))
	for i, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		units[i] = lower.Unit{Name: f, Data: func() ([]byte, error) { return data, nil }}
	}
	debug.FreeOSMemory()
	held, err := resident("VmRSS")
	if err != nil {
		return err
	}
	before := used(syscall.RUSAGE_SELF)
	res, err := lower.Lower(ctx, units, lower.Config{})
	cpu := used(syscall.RUSAGE_SELF) - before
	if err != nil {
		return err
	}
	if len(res.Skipped) > 0 {
		return fmt.Errorf("%s: %s", res.Skipped[0].Unit, res.Skipped[0].Reason)
	}
	peak, err := resident("VmHWM")
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(cost{cpu, peak - held})
}

// resident asks for resident memory now (VmRSS) or at most (VmHWM), in bytes.
// The maximum of getrusage is of no use here: it starts with the parent's.
func resident(field string) (int64, error) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	_, rest, ok := bytes.Cut(text, []byte(field+":"))
	var kb int64
	if _, err := fmt.Sscan(string(rest), &kb); !ok || err != nil {
		return 0, fmt.Errorf("no %s in /proc/self/status", field)
	}
	return kb * 1024, nil
}
