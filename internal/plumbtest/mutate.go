// This file damages files, for tests of what reads them.

package plumbtest

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// Mutated calls try with n damaged copies of the files that match, a twentieth of
// that in short mode. The same files and seed give the same damage.
func Mutated(t *testing.T, glob string, n int, seed uint64, try func(data []byte)) {
	t.Helper()
	var files [][]byte
	names, _ := filepath.Glob(glob)
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, data)
	}
	if len(files) == 0 {
		t.Fatalf("no files match %s", glob)
	}
	if testing.Short() {
		n /= 20
	}
	rng := rand.New(rand.NewPCG(seed, seed+1))
	for range n {
		try(Mutate(rng, files[rng.IntN(len(files))]))
	}
}

// Mutate returns a damaged copy of data: cut short, bits flipped, bytes
// overwritten, pieces removed, repeated or swapped.
func Mutate(rng *rand.Rand, data []byte) []byte {
	out := append([]byte(nil), data...)
	for range 1 + rng.IntN(3) {
		if len(out) == 0 {
			return out
		}
		at := rng.IntN(len(out))
		n := min(1+rng.IntN(64), len(out)-at)
		switch rng.IntN(6) {
		case 0:
			if rng.IntN(8) == 0 {
				out = out[:at]
			}
		case 1:
			out[at] ^= 1 << rng.IntN(8)
		case 2:
			for i := range n {
				out[at+i] = byte(rng.Uint32())
			}
		case 3:
			out[at] = [...]byte{0, 1, 0x7f, 0x80, 0xff}[rng.IntN(5)]
		case 4:
			n &^= 3 // records stay aligned now and then
			out = append(out[:at], out[at+n:]...)
		case 5:
			to := rng.IntN(len(out) - n + 1)
			copy(out[to:to+n], data[min(at, len(data)-n):][:n])
		}
	}
	return out
}
