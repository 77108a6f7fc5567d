package capture

// This file takes the files named on the command line: it looks into them,
// because an object may be named anything.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// addFile adds what a file on the command line holds. A file that is missing,
// unreadable or of no known kind is a mistake of the command line and an
// error, not a skipped unit.
func (r *runner) addFile(name string) error {
	path := absolute(r.dir, name)
	st, err := os.Stat(path)
	if err == nil && st.IsDir() {
		return fmt.Errorf("%s: is a directory; name files in it, or use -p %s if it has a compile_commands.json", name, name)
	}
	if err := readable(path); err != nil {
		return err
	}
	head, err := readHead(path)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	switch {
	case isBitcode(head):
		r.items = append(r.items, item{unit: &Unit{Name: name, load: func() ([]byte, error) { return os.ReadFile(path) }}})
		return nil
	case bytes.HasPrefix(head, []byte("\x7fELF")):
		return r.addELF(name, path)
	case bytes.HasPrefix(head, []byte(arMagic)), bytes.HasPrefix(head, []byte(thinMagic)):
		return r.addArchive(name, path)
	}
	return r.addSource(name)
}

// addSource adds a source file, compiled with the flags of the command line.
func (r *runner) addSource(name string) error {
	if s := extensions[filepath.Ext(name)]; s == "c-header" || s == "c++-header" {
		return fmt.Errorf("%s: a header is analysed with the sources that include it; name those", name)
	}
	if len(name) > 1 && (name[0] == '-' || name[0] == '@') {
		name = "./" + name
	}
	cmd := command{dir: r.dir, argv: slices.Concat([]string{"clang"}, r.cfg.Flags, []string{"--", name}), env: trackedEnv(os.Environ())}
	p, err := cmd.parse()
	if err != nil {
		return fmt.Errorf("flags for %s: %w", name, err)
	}
	if len(p.jobs) == 0 && len(p.notes) == 0 {
		return fmt.Errorf("%s: neither C or C++ source nor bitcode nor an object or archive with bitcode; say -- -x c if it is C", name)
	}
	for _, n := range p.notes {
		r.note("%s", n)
	}
	for i := range p.jobs {
		p.jobs[i].argv = plainArgv(p.jobs[i])
	}
	r.addJobs(p.jobs)
	r.hint = "no source, bitcode or object among the files named"
	return nil
}

// plainArgv is the command that a plain file stands for, for a database.
func plainArgv(j job) []string {
	argv := slices.DeleteFunc(slices.Clone(j.argv), func(s string) bool { return s == "--" || s == j.source })
	return append(argv, "-c", j.source)
}

// readHead returns the first bytes of a file.
func readHead(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := make([]byte, 16)
	n, err := io.ReadFull(f, b)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	return b[:n], nil
}

// isBitcode reports whether the content starts as bitcode does, with or
// without the wrapper header that Apple's tools put in front.
func isBitcode(b []byte) bool {
	return bytes.HasPrefix(b, []byte("BC\xc0\xde")) || bytes.HasPrefix(b, []byte("\xde\xc0\x17\x0b"))
}
