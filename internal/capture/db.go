package capture

// This file reads and writes compilation databases (compile_commands.json).

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// A dbEntry is one object of a database.
type dbEntry struct {
	Directory string   `json:"directory"`
	Command   string   `json:"command,omitempty"`
	Arguments []string `json:"arguments,omitempty"`
	File      string   `json:"file"`
	Output    string   `json:"output,omitempty"`
}

const dbName = "compile_commands.json"

// addDB adds the units of a database, given by its path or its directory.
func (r *runner) addDB(path string) error {
	st, err := os.Stat(path)
	if err == nil && st.IsDir() {
		path = filepath.Join(path, dbName)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("%s: no such file; make it with cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON or meson, or let plumb watch the build: plumb check -- make", path)
		}
		return readable(path)
	}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	var entries []dbEntry
	if err := json.Unmarshal(b, &entries); err != nil {
		return dbError(path, b, err)
	}
	if len(entries) == 0 {
		r.hint = path + " has no entries; configure the project again, or let plumb watch the build: plumb check -- make"
		return nil
	}
	r.hint = "no entry of " + path + " compiles C or C++"
	for i, e := range entries {
		if err := r.addEntry(path, i+1, e); err != nil {
			return err
		}
	}
	return nil
}

// addEntry adds the unit of one entry.
func (r *runner) addEntry(path string, n int, e dbEntry) error {
	dir := filepath.Dir(path)
	if e.Directory == "" {
		r.note("%s: entry %d (%s) has no \"directory\"; taking that of the database", path, n, e.File)
	} else {
		dir = absolute(dir, e.Directory)
	}
	argv := e.Arguments
	if len(argv) == 0 {
		var err error
		if argv, err = splitShell(e.Command); err != nil {
			return fmt.Errorf("%s: entry %d (%s): \"command\": %w", path, n, e.File, err)
		}
	}
	if len(argv) == 0 {
		if e.File == "" {
			return fmt.Errorf("%s: entry %d has none of \"file\", \"command\" and \"arguments\"; configure the project again", path, n)
		}
		r.items = append(r.items, item{skip: &Skipped{absolute(dir, e.File), "its entry in " + filepath.Base(path) + " has neither \"command\" nor \"arguments\""}})
		return nil
	}
	p, err := command{dir, argv, trackedEnv(os.Environ())}.parse()
	if err != nil {
		return fmt.Errorf("%s: entry %d (%s): %w", path, n, e.File, err)
	}
	for _, note := range p.notes {
		r.note("%s", note)
	}
	if len(p.jobs)+len(p.notes) == 0 {
		r.note("%s: entry %d (%s) compiles no C or C++, left out", path, n, e.File)
	}
	r.addJobs(entryJobs(p.jobs, absolute(dir, e.File), e.File))
	return nil
}

// entryJobs picks the jobs an entry stands for: its command may compile
// several files, each of which has an entry of its own.
func entryJobs(jobs []job, file, asGiven string) []job {
	if asGiven == "" || len(jobs) < 2 {
		return jobs
	}
	own := slices.DeleteFunc(slices.Clone(jobs), func(j job) bool { return j.name != file })
	if len(own) == 0 {
		return jobs
	}
	return own
}

// dbError says where in the file the mistake is.
func dbError(path string, b []byte, err error) error {
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	offset := int64(len(b))
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &typ):
		offset = typ.Offset
	}
	offset = max(1, min(offset, int64(len(b))))
	before := b[:max(0, offset-1)]
	line := bytes.Count(before, []byte("\n")) + 1
	col := len(before) - bytes.LastIndexByte(before, '\n')
	msg := err.Error()
	if typ != nil {
		want := map[reflect.Kind]string{reflect.Slice: "a list", reflect.Struct: "an object", reflect.String: "a string"}[typ.Type.Kind()]
		msg = fmt.Sprintf("%s where %s should be", typ.Value, want)
		if typ.Field != "" {
			msg += " (" + typ.Field + ")"
		}
	}
	return fmt.Errorf("%s:%d:%d: not a compilation database: %s; configure the project again or mend the file", path, line, col, msg)
}

// writeDB writes the jobs as a database.
func writeDB(path string, items []item) error {
	entries := []dbEntry{}
	for _, it := range items {
		if j := it.job; j != nil {
			entries = append(entries, dbEntry{Directory: j.dir, Arguments: j.argv, File: j.name})
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(entries); err != nil {
		return err
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		return fmt.Errorf("cannot write the compilation database: %w", err)
	}
	return nil
}

// dedupe leaves one job of those that compile the same file with the same
// options. Position-independent code makes no difference here: libtool
// compiles each source with it and without.
func (r *runner) dedupe() {
	seen := make(map[string]bool)
	files := make(map[string]int)
	var again []string // files with more than one unit
	r.items = slices.DeleteFunc(r.items, func(it item) bool {
		if it.job == nil {
			return false
		}
		id := it.job.identity()
		if seen[id] {
			return true
		}
		seen[id] = true
		if files[it.job.name]++; files[it.job.name] == 2 {
			again = append(again, it.job.name)
		}
		return false
	})
	if len(again) > 0 {
		r.note("%s compiled more than once with different options, each time a unit: %s", plural(len(again), "file"), some(again))
	}
}

// some lists the first few of many names.
func some(names []string) string {
	const few = 5
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}

// identity is equal for jobs that give the same unit.
func (j *job) identity() string {
	parts := []string{j.name, j.dir, j.lang, fmt.Sprint(j.driver)}
	for _, f := range j.flags {
		if !isPIC(f) {
			parts = append(parts, f...)
		}
	}
	return fmt.Sprintf("%q", append(parts, j.env...))
}
