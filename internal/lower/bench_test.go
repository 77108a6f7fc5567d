package lower_test

// This file measures lowering on the reader's seeds, which need no clang. Real
// programs are measured by make bench.

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/plumb-project/plumb/internal/lower"
)

// BenchmarkLower reads, links and lowers one unit, and many at once.
func BenchmarkLower(b *testing.B) {
	for _, seed := range []string{"c-14", "c-19", "c-22", "cxx-19", "opt-16"} {
		data, err := os.ReadFile("../bitcode/testdata/bc/" + seed + ".bc")
		if err != nil {
			b.Fatal(err)
		}
		for _, n := range []int{1, 100} {
			units := make([]lower.Unit, n)
			for i := range units {
				units[i] = lower.Unit{Name: fmt.Sprint("unit", i), Data: func() ([]byte, error) { return data, nil }}
			}
			b.Run(fmt.Sprintf("%s/units=%d", seed, n), func(b *testing.B) { benchLower(b, units, len(data)*n) })
		}
	}
}

func benchLower(b *testing.B, units []lower.Unit, size int) {
	b.SetBytes(int64(size))
	b.ReportAllocs()
	var res *lower.Result
	for b.Loop() {
		var err error
		if res, err = lower.Lower(context.Background(), units, lower.Config{Jobs: 1}); err != nil {
			b.Fatal(err)
		}
	}
	if len(res.Skipped) > 0 {
		b.Fatal(res.Skipped)
	}
	insts := 0
	for i := range res.Program.Funcs {
		for _, block := range res.Program.Funcs[i].Blocks {
			insts += int(block.End - block.First)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(insts), "ns/inst")
}
