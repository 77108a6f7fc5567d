package capture

// This file reads ar archives: the GNU form with its table of long names,
// thin archives whose members are files of their own, and the BSD form.

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const (
	arMagic    = "!<arch>\n"
	thinMagic  = "!<thin>\n"
	arHeader   = 60 // bytes of a member's header
	arNameSize = 16
)

// A member is one file of an archive.
type member struct {
	name string
	data []byte // its content; for a thin archive read from its file
	err  error  // why the content cannot be had (thin archives)
	file string // thin: the file it is
	off  int64  // otherwise: where it starts in the archive
}

// readArchive returns the members of an archive, without its symbol tables.
// dir is where a thin archive lies: its members are named relative to it.
func readArchive(b []byte, dir string) ([]member, error) {
	thin := bytes.HasPrefix(b, []byte(thinMagic))
	a := arReader{rest: b[len(arMagic):], all: b, thin: thin, dir: dir}
	var out []member
	for len(a.rest) > 0 {
		m, ok, err := a.next()
		if err != nil {
			return nil, fmt.Errorf("damaged archive at byte %d: %w", len(b)-len(a.rest), err)
		}
		if ok {
			out = append(out, m)
		}
	}
	return out, nil
}

type arReader struct {
	all, rest []byte
	names     []byte // the GNU table of long names
	thin      bool
	dir       string
}

// next takes one member; ok is false for tables.
func (a *arReader) next() (m member, ok bool, err error) {
	if len(a.rest) < arHeader {
		return m, false, fmt.Errorf("%d bytes where a member's header should be", len(a.rest))
	}
	h := a.rest[:arHeader]
	if h[58] != '`' || h[59] != '\n' {
		return m, false, fmt.Errorf("bad member header")
	}
	size, err := strconv.ParseUint(strings.TrimSpace(string(h[48:58])), 10, 48)
	if err != nil {
		return m, false, fmt.Errorf("bad member size %q", h[48:58])
	}
	raw := strings.TrimRight(string(h[:arNameSize]), " ")
	table := raw == "/" || raw == "//" || raw == "/SYM64/"
	a.rest = a.rest[arHeader:]
	var data []byte
	var end int64 // of the data, in the archive
	if table || !a.thin {
		if uint64(len(a.rest)) < size {
			return m, false, fmt.Errorf("member %q is %d bytes long, %d are left", raw, size, len(a.rest))
		}
		data = a.rest[:size]
		end = int64(len(a.all)-len(a.rest)) + int64(size)
		a.rest = a.rest[min(size+size%2, uint64(len(a.rest))):]
	}
	if raw == "//" {
		a.names = data
	}
	if table {
		return m, false, nil
	}
	m.name, m.data, err = a.memberName(raw, data)
	if err != nil || strings.HasPrefix(m.name, "__.SYMDEF") {
		return m, false, err
	}
	if a.thin {
		m.file = absolute(a.dir, m.name)
		m.data, m.err = os.ReadFile(m.file)
		m.name = filepath.Base(m.name)
	} else {
		m.off = end - int64(len(m.data))
	}
	return m, true, nil
}

// memberName decodes a name: "x.o/", "/18" into the table, "#1/20" with the
// name at the start of the data, or padded by blanks.
func (a *arReader) memberName(raw string, data []byte) (string, []byte, error) {
	if n, ok := strings.CutPrefix(raw, "#1/"); ok {
		k, err := strconv.Atoi(n)
		if err != nil || k < 0 || k > len(data) {
			return "", nil, fmt.Errorf("bad member name %q", raw)
		}
		return strings.TrimRight(string(data[:k]), "\x00"), data[k:], nil
	}
	if n, ok := strings.CutPrefix(raw, "/"); ok {
		k, err := strconv.Atoi(n)
		if err != nil || k < 0 || k > len(a.names) {
			return "", nil, fmt.Errorf("bad member name %q", raw)
		}
		name, _, _ := strings.Cut(string(a.names[k:]), "\n")
		return strings.TrimSuffix(name, "/"), data, nil
	}
	return strings.TrimSuffix(raw, "/"), data, nil
}
