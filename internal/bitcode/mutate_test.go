package bitcode_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/bitcode"
	"github.com/plumb-project/plumb/internal/plumbtest"
)

func seeds(t testing.TB) [][]byte {
	t.Helper()
	names, err := filepath.Glob("testdata/bc/*.bc")
	if err != nil || len(names) == 0 {
		t.Fatal("no seeds in testdata/bc", err)
	}
	var out [][]byte
	for _, n := range names {
		data, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, data)
	}
	return out
}

// readAll decodes all there is, bodies included.
func readAll(data []byte) error {
	mods, err := bitcode.Open("in.bc", data)
	if err != nil {
		return err
	}
	for _, m := range mods {
		if err := m.Bodies(func(*bitcode.Body) {}); err != nil {
			return err
		}
	}
	return nil
}

func TestSeeds(t *testing.T) {
	for _, s := range seeds(t) {
		if err := readAll(s); err != nil {
			t.Error(err)
		}
	}
}

// TestMutated reads files that are cut short, flipped, overwritten and
// shuffled. None may panic; each refusal must say why and name the file.
func TestMutated(t *testing.T) {
	tried, refused := 0, 0
	plumbtest.Mutated(t, "testdata/bc/*.bc", 10_000, 1, func(data []byte) {
		tried++
		err := readAll(data)
		if err == nil {
			return
		}
		refused++
		if msg := err.Error(); !strings.HasPrefix(msg, "in.bc: ") || len(msg) < len("in.bc: ")+10 {
			t.Errorf("no reason in %q", msg)
		}
	})
	t.Logf("%d of %d refused", refused, tried)
	if refused < tried/4 {
		t.Errorf("only %d of %d damaged files were refused", refused, tried)
	}
}

// TestTruncated cuts a file at every length.
func TestTruncated(t *testing.T) {
	s := seeds(t)[0]
	for n := range len(s) {
		if readAll(s[:n]) == nil && n < len(s)-64 { // a symbol table we do not read may be missing
			t.Errorf("%d of %d bytes were accepted", n, len(s))
		}
	}
}

func FuzzOpen(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data []byte) { readAll(data) })
}
