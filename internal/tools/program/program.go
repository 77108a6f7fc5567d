// Package program opens the real programs that scripts/corpus.sh prepares, for
// the tools that measure plumb on them.
package program

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/plumb-project/plumb/internal/bitcode"
	"github.com/plumb-project/plumb/internal/capture"
)

// A Program is one real program with its compile commands.
type Program struct {
	Name    string
	Version string // Debian's
	DB      string // compile_commands.json
}

// Open reads a directory that scripts/corpus.sh made: compile_commands.json and
// the file version.
func Open(dir string) (*Program, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	p := &Program{Name: filepath.Base(dir), DB: filepath.Join(dir, "compile_commands.json")}
	version, err := os.ReadFile(filepath.Join(dir, "version"))
	if err == nil {
		_, err = os.Stat(p.DB)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; run scripts/corpus.sh build %s", dir, err, p.Name)
	}
	p.Version = strings.TrimSpace(string(version))
	return p, nil
}

// Capture makes bitcode of every unit. A unit that does not compile is an error.
func (p *Program) Capture(ctx context.Context, cfg capture.Config) (*capture.Result, error) {
	cfg.CompileDB = p.DB
	res, err := capture.Run(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	if len(res.Skipped) > 0 {
		s := res.Skipped[0]
		return res, fmt.Errorf("%s: %d units not compiled; the first, %s: %s", p.Name, len(res.Skipped), s.Unit, s.Reason)
	}
	return res, nil
}

// Instructions decodes every body of a module and calls each with the name of
// its function and its opcode.
func Instructions(name string, data []byte, each func(fn, op string)) error {
	mods, err := bitcode.Open(name, data)
	if err != nil {
		return err
	}
	for _, m := range mods {
		err := m.Bodies(func(b *bitcode.Body) {
			for i := range b.Insts {
				each(b.Func.Name, b.Insts[i].Op.String())
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}
