package capture_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/plumb-project/plumb/internal/capture"
)

// BenchmarkWarm gets a unit out of the cache: what a second run costs a unit.
func BenchmarkWarm(b *testing.B) {
	dir := b.TempDir()
	src := filepath.Join(dir, "a.c")
	if err := os.WriteFile(src, []byte("#include <stdio.h>\nint main(void) { return puts(\"x\"); }\n"), 0o644); err != nil {
		b.Fatal(err)
	}
	cfg := capture.Config{Files: []string{src}, Dir: dir, CacheDir: filepath.Join(dir, "cache"), Jobs: 1}
	if _, err := capture.Run(b.Context(), cfg); err != nil {
		b.Skipf("needs clang: %v", err)
	}
	for b.Loop() {
		res, err := capture.Run(b.Context(), cfg)
		if err != nil || res.Cached != 1 {
			b.Fatalf("cached %d units: %v", res.Cached, err)
		}
	}
}
