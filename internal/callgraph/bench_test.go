package callgraph_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/plumb-project/plumb/internal/callgraph"
	"github.com/plumb-project/plumb/internal/ir"
)

// BenchmarkBuild makes the call graph of the C++ program that lower's tests keep.
func BenchmarkBuild(b *testing.B) {
	name := filepath.Join("..", "lower", "testdata", "golden", "classes.pir")
	src, err := os.ReadFile(name)
	if err != nil {
		b.Fatal(err)
	}
	p, err := ir.Parse(name, src)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		callgraph.Build(p, nil)
	}
}
