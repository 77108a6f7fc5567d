// This file has clang dump what is wanted of a unit.

package ast

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A Command is how clang compiles a unit.
type Command struct {
	Clang string   // the program
	Dir   string   // where it runs
	Args  []string // all arguments, the source among them; -c, -o and the like do no harm
	Env   []string // nil for the process's own
}

// A Want is a function asked for.
type Want struct {
	Name string // as in the source, qualified or not; "" when not known
	File string // absolute path of its definition
	Line int    // of its name or any other line of its definition
}

// fullDump is the number of functions from which on dumping the whole unit is
// cheaper than parsing it for each of them: a dump of all costs about five parses.
const fullDump = 5

// Load has clang parse a unit and returns the functions wanted of it. The error is
// of clang or of the dump; what stands against single functions is in Errs. Read
// gives the contents that clang saw, which an overlay may have changed; nil is
// os.ReadFile.
func Load(ctx context.Context, cmd Command, read func(string) ([]byte, error), wants []Want) (*Unit, error) {
	if read == nil {
		read = os.ReadFile
	}
	u := &Unit{
		cmd: cmd, read: read,
		CXX:   isCXX(cmd),
		Funcs: make([]*Func, len(wants)), Errs: make([]error, len(wants)),
		texts: map[string]*Text{}, decls: map[string]Decl{}, asked: map[string]bool{},
	}
	found := make([]*Node, len(wants))
	var filters []string
	for _, w := range wants {
		if f := filter(w.Name); f == "" {
			filters = append(filters[:0], make([]string, fullDump)...) // only the whole unit will do
			break
		} else if !slices.Contains(filters, f) {
			filters = append(filters, f)
		}
	}
	if len(filters) >= fullDump {
		filters = []string{""}
	}
	for _, f := range filters {
		if err := u.dump(ctx, f, wants, found); err != nil {
			return nil, err
		}
	}
	if slices.Contains(found, nil) && !u.complete && len(wants) > 0 {
		// A name that clang spells otherwise, such as an operator's.
		if err := u.dump(ctx, "", wants, found); err != nil {
			return nil, err
		}
	}
	for i, w := range wants {
		if found[i] == nil {
			u.Errs[i] = fmt.Errorf("%s: clang has no function %s in line %d", w.File, w.Name, w.Line)
			continue
		}
		// Several wants may mean the same function.
		if j := slices.Index(found[:i], found[i]); j >= 0 {
			u.Funcs[i], u.Errs[i] = u.Funcs[j], u.Errs[j]
			continue
		}
		u.Funcs[i], u.Errs[i] = u.function(found[i])
	}
	return u, nil
}

// filter returns what names of functions to be dumped must contain, "" for all.
func filter(name string) string {
	if strings.Contains(name, "operator") || strings.ContainsAny(name, "<>()$") {
		return ""
	}
	if i := strings.LastIndex(name, "::"); i >= 0 {
		name = name[i+2:]
	}
	return name
}

// dump has clang dump the declarations whose names contain filter, and fills in
// which functions are the ones wanted.
func (u *Unit) dump(ctx context.Context, filter string, wants []Want, found []*Node) error {
	d := &decoder{files: map[string]string{}, dir: u.cmd.Dir, decls: u.decls}
	d.wanted = func(n *Node) bool {
		for i, w := range wants {
			if found[i] == nil && w.is(n) {
				return true
			}
		}
		return false
	}
	args := []string{"-Xclang", "-ast-dump=json"}
	if filter != "" {
		args = append(args, "-Xclang", "-ast-dump-filter="+filter)
	}
	if err := u.run(ctx, args, func(r io.Reader) error {
		d.lex = newLexer(r)
		return d.run()
	}); err != nil {
		return err
	}
	for i, w := range wants {
		if found[i] == nil {
			found[i] = w.best(d.found)
		}
	}
	if filter == "" {
		u.complete = true
	}
	return nil
}

// is reports whether a function is the one wanted, or contains it.
func (w Want) is(n *Node) bool {
	if n.begin.file != w.File && !sameFile(n.begin.file, w.File) {
		return false
	}
	return n.pos.line == w.Line || n.begin.line <= w.Line && w.Line <= n.end.line
}

// best returns the first of the functions that has the wanted name and has a body,
// else the first around the line that has one: a lambda has no name of its own.
func (w Want) best(ns []*Node) *Node {
	var best *Node
	for _, n := range ns {
		if !w.is(n) || body(n) == nil {
			continue
		}
		named := n.Name == w.Name || strings.HasSuffix(w.Name, "::"+n.Name)
		switch {
		case named && !n.Implicit:
			return n
		case named && (best == nil || !best.Implicit), best == nil && !n.Implicit:
			best = n
		}
	}
	return best
}

// sameFile reports whether two paths mean one file.
func sameFile(a, b string) bool {
	if a == "" || filepath.Base(a) != filepath.Base(b) {
		return false
	}
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// run runs clang on the unit with more arguments and hands its output to use.
func (u *Unit) run(ctx context.Context, args []string, use func(io.Reader) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	all := slices.Concat(args, []string{"-fsyntax-only", "-w", "-Wno-error", "-ferror-limit=1"}, u.cmd.Args)
	cmd := exec.CommandContext(ctx, u.cmd.Clang, all...)
	cmd.Dir, cmd.Env = u.cmd.Dir, u.cmd.Env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	err = use(out)
	if err != nil {
		cancel()
	}
	werr := cmd.Wait()
	if ctx.Err() != nil && err == nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("reading what clang dumps: %w", err)
	}
	if werr != nil {
		if line, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n"); line != "" {
			return fmt.Errorf("clang: %s", line)
		}
		return fmt.Errorf("clang: %w", werr)
	}
	return nil
}

// isCXX reports whether a command compiles C++.
func isCXX(cmd Command) bool {
	lang := ""
	for i, a := range cmd.Args {
		switch {
		case a == "-x" && i+1 < len(cmd.Args):
			lang = cmd.Args[i+1]
		case strings.HasPrefix(a, "-x") && len(a) > 2:
			lang = a[2:]
		}
	}
	if lang != "" && lang != "none" {
		return strings.Contains(lang, "c++")
	}
	for _, a := range cmd.Args {
		switch filepath.Ext(a) {
		case ".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C", ".ii":
			return true
		case ".c", ".i":
			if strings.HasPrefix(a, "-") {
				continue
			}
			return strings.Contains(filepath.Base(cmd.Clang), "++")
		}
	}
	return strings.Contains(filepath.Base(cmd.Clang), "++")
}
