package main

// This file is the process that analyses, and its parent's side. A fresh process
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

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/lower"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/tools/cputime"
)

// A cost is what the child prints.
type cost struct {
	Lower, All        time.Duration
	Peak, PeakAll     int64 // growth of resident memory, bytes
	Lines, Functions  int
	Objects, Findings int
}

// runAnalysis analyses in a child, and keeps the largest peaks seen.
func (r *runner) runAnalysis(ctx context.Context) (time.Duration, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, self, "-child", r.tmp)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("analysis: %w", err)
	}
	var c cost
	if err := json.Unmarshal(out, &c); err != nil {
		return 0, err
	}
	r.lower = append(r.lower, c.Lower)
	r.peak, r.peakAll = max(r.peak, c.Peak), max(r.peakAll, c.PeakAll)
	r.lines, r.functions, r.objects, r.findings = c.Lines, c.Functions, c.Objects, c.Findings
	return c.All, nil
}

// analyseChild analyses the bitcode files of a directory and prints a cost.
func analyseChild(ctx context.Context, dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.bc"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no bitcode in %s: %w", dir, errors.Join(err, os.ErrNotExist))
	}
	var units []lower.Unit
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		units = append(units, lower.Unit{Name: file, Data: func() ([]byte, error) { return data, nil }})
	}
	debug.FreeOSMemory()
	held, err := resident("VmRSS")
	if err != nil {
		return err
	}
	before := cputime.Used(syscall.RUSAGE_SELF)
	res, err := lower.Lower(ctx, units, lower.Config{})
	c := cost{Lower: cputime.Used(syscall.RUSAGE_SELF) - before}
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
	var stats leak.Stats
	found, err := leak.Find(ctx, res.Program, leak.Config{Stats: &stats})
	if err != nil {
		return err
	}
	c.All = cputime.Used(syscall.RUSAGE_SELF) - before
	all, err := resident("VmHWM")
	if err != nil {
		return err
	}
	c.Peak, c.PeakAll = peak-held, all-held
	c.Lines, c.Functions = size(res.Program)
	c.Objects, c.Findings = stats.Objects, len(report.Merge(found, report.EachLoss))
	return json.NewEncoder(os.Stdout).Encode(c)
}

// size counts the lines of source that have code, and the functions.
func size(p *ir.Program) (lines, functions int) {
	type line struct {
		file ir.FileID
		n    uint32
	}
	seen := map[line]bool{}
	for i := range p.Funcs {
		f := &p.Funcs[i]
		if len(f.Blocks) > 0 {
			functions++
		}
		for l := range f.Locs {
			if n := f.Locs[l].Line; n != 0 {
				seen[line{f.FileOf(ir.LocID(l)), n}] = true
			}
		}
	}
	return len(seen), functions
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
