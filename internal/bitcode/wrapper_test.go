package bitcode_test

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/bitcode"
)

// TestWrapper reads bitcode behind the header that some tools put in front.
func TestWrapper(t *testing.T) {
	raw := seeds(t)[0]
	wrap := func(off, size uint32) []byte {
		h := binary.LittleEndian.AppendUint32(nil, 0x0b17c0de)
		for _, x := range []uint32{0, off, size, 7} { // version, offset, size, processor
			h = binary.LittleEndian.AppendUint32(h, x)
		}
		return append(append(h, raw...), "padding"...)
	}
	if err := readAll(wrap(20, uint32(len(raw)))); err != nil {
		t.Error(err)
	}
	if err := readAll(wrap(20, uint32(len(raw)+100))); err == nil || !strings.Contains(err.Error(), "past the end") {
		t.Errorf("header past the end: %v", err)
	}
	if err := readAll(wrap(0, 20)); !errors.Is(err, bitcode.ErrNotBitcode) {
		t.Errorf("header that points to itself: %v", err)
	}
}
