package capture

// This file finds bitcode in ELF objects and in the members of archives.

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Sections that hold bitcode: fat LTO objects have the first, -fembed-bitcode
// makes the second.
var bitcodeSections = []string{".llvm.lto", ".llvmbc"}

// noBitcode is the reason for an object that was compiled for real.
const noBitcode = "no bitcode in it; rebuild with clang -flto (or -ffat-lto-objects), or give plumb the sources"

// addELF adds the bitcode in an object file.
func (r *runner) addELF(name, path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	r.addObject(name, b, func() ([]byte, error) { return os.ReadFile(path) })
	return nil
}

// addObject adds the bitcode of an object with content b. read reads b
// again: the modules of a large archive must not all stay in memory.
func (r *runner) addObject(name string, b []byte, read func() ([]byte, error)) {
	mods, err := modules(b)
	if err != nil {
		r.items = append(r.items, item{skip: &Skipped{Unit: name, Reason: err.Error()}})
		return
	}
	for i := range mods {
		unit := name
		if len(mods) > 1 {
			unit = fmt.Sprintf("%s#%d", name, i+1)
		}
		load := func() ([]byte, error) {
			b, err := read()
			if err != nil {
				return nil, err
			}
			mods, err := modules(b)
			if err != nil || i >= len(mods) {
				return nil, fmt.Errorf("%s: changed while it was read; run again", name)
			}
			return mods[i], nil
		}
		r.items = append(r.items, item{unit: &Unit{Name: unit, load: load}})
	}
}

// modules returns the bitcode modules in the content of an object.
func modules(b []byte) ([][]byte, error) {
	if isBitcode(b) {
		return [][]byte{b}, nil
	}
	if !bytes.HasPrefix(b, []byte("\x7fELF")) {
		return nil, errors.New("neither bitcode nor an ELF object")
	}
	f, err := elf.NewFile(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("damaged object: %w", err)
	}
	for _, name := range bitcodeSections {
		s := f.Section(name)
		if s == nil {
			continue
		}
		data, err := s.Data()
		if err != nil {
			return nil, fmt.Errorf("section %s: %w", name, err)
		}
		if mods := splitModules(data); len(mods) > 0 {
			return mods, nil
		}
	}
	for _, s := range f.Sections {
		if strings.HasPrefix(s.Name, ".gnu.lto_") {
			return nil, errors.New("gcc's LTO object, which only gcc reads; rebuild with clang -flto, or give plumb the sources")
		}
	}
	return nil, errors.New(noBitcode)
}

// moduleStart is the magic with the identification block that opens every
// module: a linker puts the sections of several objects one after the other.
var moduleStart = []byte("BC\xc0\xde\x35\x14\x00\x00")

func splitModules(b []byte) [][]byte {
	if !isBitcode(b) {
		return nil
	}
	var out [][]byte
	start := 0
	for at := 4; at+len(moduleStart) <= len(b); at += 4 {
		if b[at] == 'B' && bytes.HasPrefix(b[at:], moduleStart) {
			out = append(out, b[start:at])
			start = at
		}
	}
	return append(out, b[start:])
}

// addArchive adds the members of an archive.
func (r *runner) addArchive(name, path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	members, err := readArchive(b, filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if len(members) == 0 {
		r.hint = name + " is an empty archive"
	}
	for _, m := range members {
		unit := fmt.Sprintf("%s(%s)", name, m.name)
		if m.err != nil {
			r.items = append(r.items, item{skip: &Skipped{Unit: unit, Reason: m.err.Error()}})
			continue
		}
		r.addObject(unit, m.data, memberReader(path, m))
	}
	return nil
}

// memberReader reads the member's content again.
func memberReader(archive string, m member) func() ([]byte, error) {
	if m.file != "" {
		return func() ([]byte, error) { return os.ReadFile(m.file) }
	}
	off, size := m.off, len(m.data)
	return func() ([]byte, error) {
		f, err := os.Open(archive)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		b := make([]byte, size)
		if _, err := f.ReadAt(b, off); err != nil {
			return nil, fmt.Errorf("%s: changed while it was read; run again: %w", archive, err)
		}
		return b, nil
	}
}
