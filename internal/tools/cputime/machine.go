package cputime

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// Machine names what the figures depend on.
func Machine(ctx context.Context, clang string) string {
	parts := []string{fmt.Sprintf("%d cores", runtime.NumCPU()), runtime.GOARCH}
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		_, rest, _ := strings.Cut(string(text), "model name")
		name, _, _ := strings.Cut(rest, "\n")
		parts = append(parts, strings.Join(strings.Fields(strings.TrimLeft(name, "\t :")), " "))
	}
	for _, line := range [][]string{{clang, "--version"}, {"valgrind", "--version"}} {
		if out, err := exec.CommandContext(ctx, line[0], line[1:]...).Output(); err == nil {
			first, _, _ := strings.Cut(string(out), "\n")
			parts = append(parts, first)
		}
	}
	return strings.Join(parts, ", ")
}
