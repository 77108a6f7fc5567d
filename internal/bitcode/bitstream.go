// This file reads the bitstream container: blocks, abbreviations, records.

package bitcode

import (
	"encoding/binary"
	"fmt"
)

// Abbreviation ids with a fixed meaning.
const (
	idEndBlock     = 0
	idEnterBlock   = 1
	idDefineAbbrev = 2
	idUnabbrev     = 3
)

// An abbrev is the layout of a record.
type abbrev []abbrevOp

type abbrevOp struct {
	enc   uint8  // one of the encodings below
	value uint64 // literal value, or field width
}

const (
	encFixed   = 1
	encVBR     = 2
	encArray   = 3 // the element type follows and is the last op
	encChar6   = 4
	encBlob    = 5
	encLiteral = 6
)

// An entry is what next found.
type entry struct {
	kind uint8
	id   uint64 // block id, or abbreviation id of a record
}

const (
	entError uint8 = iota
	entEnd
	entBlock  // the reader stands before the block's header: enterBlock or skipBlock
	entRecord // record must be called with the id
)

// A reader is a position in a bitstream. After an error it reads zeros, so
// callers may check err once per record.
type reader struct {
	data  []byte
	pos   uint64 // in bits
	end   uint64 // in bits
	width uint   // of abbreviation ids in this block
	err   error

	abbrevs []abbrev // of this block: those of BLOCKINFO, then its own
	stack   []frame
	info    map[uint64][]abbrev // BLOCKINFO

	rec    []uint64 // operands of the last record
	blob   []byte   // its blob, if it had one
	blobAt uint64   // where the blob lies in data
}

type frame struct {
	width   uint
	abbrevs []abbrev
}

const maxBlockDepth = 64

func newReader(data []byte) *reader {
	return &reader{data: data, end: uint64(len(data)) * 8, width: 2, rec: make([]uint64, 0, 64)}
}

func (r *reader) left() uint64 {
	if r.pos >= r.end {
		return 0
	}
	return r.end - r.pos
}

// errorf makes an error with the position.
func (r *reader) errorf(format string, args ...any) error {
	return fmt.Errorf("at byte %d: %s", r.pos/8, fmt.Sprintf(format, args...))
}

// fail records the first error and moves to the end.
func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = r.errorf(format, args...)
	}
	r.pos = r.end
}

// fixed reads n bits, n at most 64.
func (r *reader) fixed(n uint) uint64 {
	if uint64(n) > r.end-r.pos {
		r.fail("file is cut short")
		return 0
	}
	i := r.pos >> 3
	if n <= 56 && i+8 <= uint64(len(r.data)) {
		w := binary.LittleEndian.Uint64(r.data[i:]) >> (r.pos & 7)
		r.pos += uint64(n)
		return w & (1<<n - 1)
	}
	var w uint64
	for got := uint(0); got < n; {
		b := uint(r.pos & 7)
		take := min(8-b, n-got)
		w |= uint64(r.data[r.pos>>3]>>b&(1<<take-1)) << got
		got += take
		r.pos += uint64(take)
	}
	return w
}

// vbr reads a variable bit rate number with chunks of n bits.
func (r *reader) vbr(n uint) uint64 {
	hi := uint64(1) << (n - 1)
	w := r.fixed(n)
	if w&hi == 0 {
		return w
	}
	v := w & (hi - 1)
	for shift := n - 1; ; shift += n - 1 {
		w = r.fixed(n)
		if shift >= 64 && w&(hi-1) != 0 {
			r.fail("number too large")
			return 0
		}
		v |= (w & (hi - 1)) << shift
		if w&hi == 0 {
			return v
		}
		if r.err != nil {
			return 0
		}
	}
}

func (r *reader) align32() {
	r.pos = (r.pos + 31) &^ 31
	if r.pos > r.end {
		r.fail("file is cut short")
	}
}

// next reads up to the next thing of the block. Abbreviations are taken in silently.
func (r *reader) next() entry {
	for {
		id := r.fixed(r.width)
		if r.err != nil {
			return entry{kind: entError}
		}
		switch id {
		case idEndBlock:
			r.align32()
			if len(r.stack) == 0 {
				r.fail("end of a block that was not entered")
				return entry{kind: entError}
			}
			f := r.stack[len(r.stack)-1]
			r.stack = r.stack[:len(r.stack)-1]
			r.width, r.abbrevs = f.width, f.abbrevs
			return entry{kind: entEnd}
		case idEnterBlock:
			return entry{kind: entBlock, id: r.vbr(8)}
		case idDefineAbbrev:
			r.abbrevs = append(r.abbrevs[:len(r.abbrevs):len(r.abbrevs)], r.defineAbbrev())
		default:
			return entry{kind: entRecord, id: id}
		}
	}
}

// walk goes through the block that was entered: nested blocks and records, up to
// its end or an error. Nested must enter or skip its block.
func (r *reader) walk(nested, record func(id uint64)) {
	for r.err == nil {
		switch e := r.next(); e.kind {
		case entError, entEnd:
			return
		case entBlock:
			nested(e.id)
		case entRecord:
			if code := r.record(e.id); r.err == nil {
				record(code)
			}
		}
	}
}

// skip passes over a nested block.
func (r *reader) skip(uint64) { r.skipBlock() }

// refuse returns what to do with nested blocks where there can be none.
func (r *reader) refuse(where string) func(uint64) {
	return func(id uint64) { r.fail("unknown block %d in %s", id, where) }
}

// enterBlock goes into the block that next announced. Its abbreviations are
// those BLOCKINFO gives for id.
func (r *reader) enterBlock(id ...uint64) {
	width := uint(r.vbr(4))
	r.align32()
	r.fixed(32) // length in words, only needed to skip
	if r.err != nil {
		return
	}
	if width < 2 || width > 32 || len(r.stack) >= maxBlockDepth {
		r.fail("bad block header")
		return
	}
	r.stack = append(r.stack, frame{r.width, r.abbrevs})
	r.width, r.abbrevs = width, nil
	if len(id) > 0 {
		r.abbrevs = r.info[id[0]]
	}
}

// skipBlock goes past the block that next announced.
func (r *reader) skipBlock() {
	r.vbr(4)
	r.align32()
	n := r.fixed(32) * 32
	if n > r.left() {
		r.fail("block is longer than the file")
		return
	}
	r.pos += n
}

func (r *reader) defineAbbrev() abbrev {
	n := r.vbr(5)
	if n == 0 || n > 1024 {
		r.fail("abbreviation of %d operands", n)
		return nil
	}
	a := make(abbrev, 0, n)
	for range n {
		if r.fixed(1) == 1 {
			a = append(a, abbrevOp{encLiteral, r.vbr(8)})
			continue
		}
		op := abbrevOp{enc: uint8(r.fixed(3))}
		switch op.enc {
		case encFixed, encVBR:
			op.value = r.vbr(5)
			if op.value > 64 || op.enc == encVBR && op.value == 1 {
				r.fail("abbreviation with a field of %d bits", op.value)
				return nil
			}
			if op.value == 0 { // no bits: always zero
				op.enc = encLiteral
			}
		case encArray, encChar6, encBlob:
		default:
			r.fail("abbreviation with unknown encoding %d", op.enc)
			return nil
		}
		a = append(a, op)
	}
	return r.checkAbbrev(a)
}

// checkAbbrev refuses layouts that record could not follow.
func (r *reader) checkAbbrev(a abbrev) abbrev {
	for i, op := range a {
		ok := true
		switch op.enc {
		case encArray:
			ok = i > 0 && i == len(a)-2 && a[i+1].enc != encArray && a[i+1].enc != encBlob && a[i+1].enc != encLiteral
		case encBlob:
			ok = i > 0 && i == len(a)-1
		}
		if !ok {
			r.fail("malformed abbreviation")
			return nil
		}
	}
	return a
}

// char6 is the 64 characters of the char6 encoding.
const char6 = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._"

// scalar reads one field.
func (r *reader) scalar(op abbrevOp) uint64 {
	switch op.enc {
	case encFixed:
		return r.fixed(uint(op.value))
	case encVBR:
		return r.vbr(uint(op.value))
	case encLiteral:
		return op.value
	}
	return uint64(char6[r.fixed(6)])
}

// record reads the record that next announced and returns its code. The
// operands are in r.rec until the next record.
func (r *reader) record(id uint64) uint64 {
	r.rec, r.blob = r.rec[:0], nil
	if id == idUnabbrev {
		code := r.vbr(6)
		n := r.vbr(6)
		if n > r.left() {
			r.fail("record is longer than the file")
			return 0
		}
		for range n {
			r.rec = append(r.rec, r.vbr(6))
		}
		return code
	}
	if id-4 >= uint64(len(r.abbrevs)) {
		r.fail("abbreviation %d is not defined", id)
		return 0
	}
	a := r.abbrevs[id-4]
	if len(a) == 0 {
		r.fail("abbreviation %d is empty", id)
		return 0
	}
	code := r.scalar(a[0])
	for i := 1; i < len(a); i++ {
		switch op := a[i]; op.enc {
		case encLiteral:
			r.rec = append(r.rec, op.value)
		case encFixed:
			r.rec = append(r.rec, r.fixed(uint(op.value)))
		case encVBR:
			r.rec = append(r.rec, r.vbr(uint(op.value)))
		case encChar6:
			r.rec = append(r.rec, uint64(char6[r.fixed(6)]))
		case encArray:
			r.array(a[i+1])
			return code
		case encBlob:
			r.readBlob()
		}
	}
	return code
}

func (r *reader) array(elem abbrevOp) {
	n := r.vbr(6)
	if n > r.left() { // an element takes a bit at least
		r.fail("record is longer than the file")
		return
	}
	for range n {
		r.rec = append(r.rec, r.scalar(elem))
	}
}

func (r *reader) readBlob() {
	n := r.vbr(6)
	r.align32()
	if n > r.left()/8 {
		r.fail("blob is longer than the file")
		return
	}
	r.blobAt = r.pos / 8
	r.blob = r.data[r.blobAt : r.blobAt+n]
	r.pos += n * 8
	r.align32()
}

// chars returns the operands from i on as a string of bytes.
func (r *reader) chars(i int) string {
	if i >= len(r.rec) {
		return ""
	}
	b := make([]byte, 0, len(r.rec)-i)
	for _, c := range r.rec[i:] {
		b = append(b, byte(c))
	}
	return string(b)
}

// at returns operand i; a record that is too short is an error.
func (r *reader) at(i int) uint64 {
	if uint(i) >= uint(len(r.rec)) {
		r.fail("record of %d operands is too short", len(r.rec))
		return 0
	}
	return r.rec[i]
}

// opt returns operand i, or 0 when the record ends before it: fields that later
// versions of LLVM appended.
func (r *reader) opt(i int) uint64 {
	if i >= len(r.rec) {
		return 0
	}
	return r.rec[i]
}

// blockInfo reads a BLOCKINFO block into r.info.
func (r *reader) blockInfo() {
	r.enterBlock()
	if r.info == nil {
		r.info = map[uint64][]abbrev{}
	}
	cur, ok := uint64(0), false
	for r.err == nil {
		id := r.fixed(r.width)
		switch id {
		case idEndBlock:
			r.align32()
			f := r.stack[len(r.stack)-1]
			r.stack = r.stack[:len(r.stack)-1]
			r.width, r.abbrevs = f.width, f.abbrevs
			return
		case idEnterBlock:
			r.vbr(8)
			r.skipBlock()
		case idDefineAbbrev:
			a := r.defineAbbrev()
			if !ok {
				r.fail("abbreviation for no block")
				return
			}
			r.info[cur] = append(r.info[cur], a)
		default:
			if r.record(id) == 1 { // BLOCKINFO_CODE_SETBID
				cur, ok = r.at(0), true
			}
		}
	}
}
