package bitcode_test

// This file measures the reader on the seeds, which need no clang. Real programs
// are measured by make bench.

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/plumb-project/plumb/internal/bitcode"
)

// eachSeed runs a benchmark on every file in testdata/bc.
func eachSeed(b *testing.B, run func(b *testing.B, data []byte)) {
	names, err := filepath.Glob("testdata/bc/*.bc")
	if err != nil || len(names) == 0 {
		b.Fatal("no seeds in testdata/bc", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(filepath.Base(name), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			run(b, data)
		})
	}
}

// BenchmarkOpen decodes everything but bodies.
func BenchmarkOpen(b *testing.B) {
	eachSeed(b, func(b *testing.B, data []byte) {
		for b.Loop() {
			if _, err := bitcode.Open("seed", data); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkBodies decodes the bodies of a module that is open.
func BenchmarkBodies(b *testing.B) {
	eachSeed(b, func(b *testing.B, data []byte) {
		mods, err := bitcode.Open("seed", data)
		if err != nil {
			b.Fatal(err)
		}
		m := mods[0]
		fr := m.NewFuncReader()
		insts := 0
		for b.Loop() {
			insts = 0
			for i := range m.Funcs {
				if m.Funcs[i].Decl {
					continue
				}
				body, err := fr.Read(i)
				if err != nil {
					b.Fatal(err)
				}
				insts += len(body.Insts)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(insts), "ns/inst")
	})
}
