// This file reads the files that programs are loaded from, and finds the separate
// files with their debug information.

package pinpoint

import (
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/hex"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/report"
)

// A module is one file of code, as far as it can be read.
type module struct {
	path      string
	buildID   string // of the file
	debugDirs []string
	low       uint64 // lowest address of what is loaded
	symbols   []symbol
	searched  bool       // for debug information
	info      *debugInfo // nil when there is none
	found     map[uint64]stack
}

// A symbol is a function.
type symbol struct {
	low, high uint64
	name      string
}

// openModule reads the symbols of a file. One whose build id is not the one that ran
// is another program: nothing in it counts.
func openModule(path, buildID string, debugDirs []string) *module {
	m := &module{path: path, debugDirs: debugDirs, found: map[uint64]stack{}}
	f, err := elf.Open(path)
	if err != nil {
		m.searched = true
		return m
	}
	defer f.Close()
	m.buildID = buildIDOf(f)
	if buildID != "" && m.buildID != buildID {
		m.searched = true
		return m
	}
	m.low = lowest(f)
	m.addSymbols(f)
	return m
}

// debug reads the debug information, if that was not done before.
func (m *module) debug() *debugInfo {
	if m.searched {
		return m.info
	}
	m.searched = true
	f, err := elf.Open(m.path)
	if err != nil {
		return nil
	}
	defer f.Close()
	if m.info = debugOf(f); m.info != nil {
		return m.info
	}
	if d := separate(f, m.path, m.buildID, m.debugDirs); d != nil {
		defer d.Close()
		m.addSymbols(d)
		m.info = debugOf(d)
	}
	return m.info
}

func debugOf(f *elf.File) *debugInfo {
	if f.Section(".debug_info") == nil && f.Section(".zdebug_info") == nil {
		return nil
	}
	d, err := f.DWARF()
	if err != nil {
		return nil
	}
	return newDebugInfo(d)
}

// addSymbols adds functions of both tables; a stripped library has only the one
// for the dynamic linker.
func (m *module) addSymbols(f *elf.File) {
	for _, table := range []func() ([]elf.Symbol, error){f.Symbols, f.DynamicSymbols} {
		list, err := table()
		if err != nil {
			continue
		}
		for _, s := range list {
			if elf.ST_TYPE(s.Info) == elf.STT_FUNC && s.Section != elf.SHN_UNDEF && s.Value != 0 && s.Size > 0 {
				m.symbols = append(m.symbols, symbol{s.Value, s.Value + s.Size, s.Name})
			}
		}
	}
	slices.SortStableFunc(m.symbols, func(a, b symbol) int { return cmp.Or(cmp.Compare(a.low, b.low), cmp.Compare(b.high, a.high)) })
}

// has reports whether the module has a function.
func (m *module) has(name string) bool {
	return slices.ContainsFunc(m.symbols, func(s symbol) bool { return s.name == name })
}

// find returns the frames at a return address. The call is just before it, and may
// be the last instruction of its function.
func (m *module) find(offset uint64, known string) stack {
	s, ok := m.found[offset]
	if !ok {
		s = m.search(offset, known)
		m.found[offset] = s
	}
	return s
}

func (m *module) search(offset uint64, known string) stack {
	pc := offset
	if pc < m.low { // counted from where the file is mapped
		pc += m.low
	}
	pc--
	info := m.debug() // which may add symbols
	name := cmp.Or(m.symbol(pc), known)
	if info != nil {
		if s := info.find(pc, name); len(s) > 0 {
			return s
		}
	}
	return stack{{Frame: report.Frame{Function: name}}}
}

// symbol returns the name of the function at an address. Of several at one address
// it is the one that is meant for users, strdup and not __strdup; a small function
// may lie in a larger that begins before it.
func (m *module) symbol(pc uint64) string {
	i, _ := slices.BinarySearchFunc(m.symbols, pc+1, func(s symbol, pc uint64) int { return cmp.Compare(s.low, pc) })
	name, low := "", uint64(0)
	for i--; i >= 0 && pc-m.symbols[i].low < maxFunction; i-- {
		s := m.symbols[i]
		if name != "" && s.low != low {
			break
		}
		if pc < s.high && (name == "" || underscores(s.name) <= underscores(name)) {
			name, low = s.name, s.low
		}
	}
	// Parts and copies that the compiler makes are named after the function: f.cold.
	if base, _, _ := strings.Cut(name, "."); base != "" {
		return base
	}
	return name
}

func underscores(name string) int { return len(name) - len(strings.TrimLeft(name, "_")) }

// maxFunction is larger than any function that has another one in it.
const maxFunction = 1 << 20

func lowest(f *elf.File) uint64 {
	low := uint64(math.MaxUint64)
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD {
			low = min(low, p.Vaddr)
		}
	}
	if low == math.MaxUint64 {
		return 0
	}
	return low
}

// buildIDOf returns the build id of a file in hexadecimal.
func buildIDOf(f *elf.File) string {
	s := f.Section(".note.gnu.build-id")
	if s == nil {
		return ""
	}
	data, err := s.Data()
	if err != nil || len(data) < 16 {
		return ""
	}
	name, size := f.ByteOrder.Uint32(data), f.ByteOrder.Uint32(data[4:])
	from := 12 + (uint64(name)+3)&^3
	if from+uint64(size) > uint64(len(data)) {
		return ""
	}
	return hex.EncodeToString(data[from : from+uint64(size)])
}

// separate opens the file with the debug information of a stripped one: by its build
// id, or by the name that it gives.
func separate(f *elf.File, path, id string, dirs []string) *elf.File {
	if len(id) > 2 {
		for _, dir := range dirs {
			if d, err := elf.Open(filepath.Join(dir, ".build-id", id[:2], id[2:]+".debug")); err == nil {
				return d
			}
		}
	}
	name, sum, ok := debugLink(f)
	if !ok {
		return nil
	}
	places := []string{filepath.Join(filepath.Dir(path), name), filepath.Join(filepath.Dir(path), ".debug", name)}
	for _, dir := range dirs {
		places = append(places, filepath.Join(dir, filepath.Dir(path), name))
	}
	for _, p := range places {
		data, err := os.ReadFile(p)
		if err != nil || p == path || crc32.ChecksumIEEE(data) != sum {
			continue
		}
		if d, err := elf.NewFile(bytes.NewReader(data)); err == nil {
			return d
		}
	}
	return nil
}

// debugLink reads the name and the checksum of the separate file.
func debugLink(f *elf.File) (name string, sum uint32, ok bool) {
	s := f.Section(".gnu_debuglink")
	if s == nil {
		return "", 0, false
	}
	data, err := s.Data()
	if err != nil {
		return "", 0, false
	}
	i := bytes.IndexByte(data, 0)
	at := (i + 4) &^ 3
	if i <= 0 || at+4 > len(data) {
		return "", 0, false
	}
	return string(data[:i]), f.ByteOrder.Uint32(data[at:]), true
}
