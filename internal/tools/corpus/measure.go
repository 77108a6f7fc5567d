package main

// This file measures one program with one clang.

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/plumb-project/plumb/internal/capture"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/lower"
	"github.com/plumb-project/plumb/internal/oracle"
	"github.com/plumb-project/plumb/internal/tools/program"
)

// measure makes one row. What goes wrong is a problem of the row.
func measure(ctx context.Context, p *program.Program, version string, cfg capture.Config) row {
	r := row{Program: p.Name, Version: p.Version, Clang: version}
	res, err := p.Capture(ctx, cfg)
	if err != nil {
		r.problem("%v", err)
	}
	if res == nil {
		return r
	}
	r.Clang, r.Units = res.Clang.Version, len(res.Units)
	r.compareAll(ctx, res.Units, "llvm-dis-"+version)
	r.lower(ctx, res.Units)
	return r
}

// A comparison is what one unit gave.
type comparison struct {
	funcs, insts, differences int
	problems                  []string
}

// compareAll compares all units, each into its own slot.
func (r *row) compareAll(ctx context.Context, units []capture.Unit, dis string) {
	out := make([]comparison, len(units))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range units {
		g.Go(func() error {
			out[i] = compare(ctx, &units[i], dis)
			return nil
		})
	}
	_ = g.Wait()
	for _, c := range out {
		r.Funcs += c.funcs
		r.Insts += c.insts
		r.Differences += c.differences
		for _, msg := range c.problems {
			r.problem("%s", msg)
		}
	}
}

// compare counts one unit both ways.
func compare(ctx context.Context, u *capture.Unit, dis string) comparison {
	var c comparison
	data, err := u.Bitcode()
	if err != nil {
		c.problems = append(c.problems, fmt.Sprintf("%s: %v", u.Name, err))
		return c
	}
	got := oracle.Counts{}
	if err := program.Instructions(u.Name, data, got.Add); err != nil {
		c.problems = append(c.problems, err.Error())
		return c
	}
	want, err := disassembled(ctx, dis, data)
	if err != nil {
		c.problems = append(c.problems, fmt.Sprintf("%s: %v", u.Name, err))
		return c
	}
	diffs := differences(got, want)
	c.funcs, c.insts, c.differences = len(got), got.Total(), len(diffs)
	for _, d := range diffs {
		c.problems = append(c.problems, u.Name+": "+d)
	}
	return c
}

// disassembled counts what llvm-dis prints, while it prints.
func disassembled(ctx context.Context, dis string, data []byte) (oracle.Counts, error) {
	cmd := exec.CommandContext(ctx, dis, "-o", "-", "-")
	cmd.Stdin = bytes.NewReader(data)
	var msg bytes.Buffer
	cmd.Stderr = &msg
	text, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	counts, err := oracle.CountDis(text)
	if err != nil {
		_ = cmd.Process.Kill() // it would wait for a reader
	}
	if werr := cmd.Wait(); werr != nil && err == nil {
		err = fmt.Errorf("%s: %w: %s", dis, werr, strings.TrimSpace(msg.String()))
	}
	return counts, err
}

// differences lists the opcodes of functions whose counts are not the same, in
// order.
func differences(got, want oracle.Counts) []string {
	var out []string
	list := func(fn string) {
		ops := map[string]bool{}
		for op := range got[fn] {
			ops[op] = true
		}
		for op := range want[fn] {
			ops[op] = true
		}
		for op := range ops {
			if g, w := got[fn][op], want[fn][op]; g != w {
				out = append(out, fmt.Sprintf("%s: %d %s, llvm-dis has %d", fn, g, op, w))
			}
		}
	}
	for fn := range got {
		list(fn)
	}
	for fn := range want {
		if got[fn] == nil {
			list(fn)
		}
	}
	slices.Sort(out)
	return out
}

// lower lowers the whole program and checks the result.
func (r *row) lower(ctx context.Context, units []capture.Unit) {
	var in []lower.Unit
	for i := range units {
		in = append(in, lower.Unit{Name: units[i].Name, Data: units[i].Bitcode})
	}
	res, err := lower.Lower(ctx, in, lower.Config{})
	if err != nil {
		r.problem("lower: %v", err)
		return
	}
	for _, s := range res.Skipped {
		r.problem("lower: %s: %s", s.Unit, s.Reason)
	}
	for i := range res.Program.Funcs {
		f := &res.Program.Funcs[i]
		if len(f.Blocks) > 0 {
			r.Lowered++
		}
		for _, b := range f.Blocks {
			r.Values += int(b.End - b.First)
		}
	}
	if err := ir.Verify(res.Program); err != nil {
		r.problem("verify: %v", err)
	}
	if err := roundTrip(res.Program); err != nil {
		r.problem("round trip: %v", err)
		return
	}
	r.RoundTrip = true
}

// roundTrip prints, parses and prints again.
func roundTrip(p *ir.Program) error {
	var first, second bytes.Buffer
	if err := ir.Print(&first, p); err != nil {
		return err
	}
	q, err := ir.Parse("printed", first.Bytes())
	if err != nil {
		return err
	}
	if err := ir.Print(&second, q); err != nil {
		return err
	}
	if bytes.Equal(first.Bytes(), second.Bytes()) {
		return nil
	}
	a, b := bytes.Split(first.Bytes(), []byte("\n")), bytes.Split(second.Bytes(), []byte("\n"))
	for i := range a {
		if i >= len(b) || !bytes.Equal(a[i], b[i]) {
			return fmt.Errorf("line %d changes: %s", i+1, a[i])
		}
	}
	return fmt.Errorf("%d lines more the second time", len(b)-len(a))
}
