// This file reads attributes that clang itself does not put into bitcode. Macros
// that plumb gives it turn them into annotations or, for a clang that has none for
// declarations, names of sections: "plumb:ownership_takes malloc, 1".

package lower

import (
	"strconv"
	"strings"

	"github.com/plumb-project/plumb/internal/bitcode"
	"github.com/plumb-project/plumb/internal/ir"
)

// attributePrefix is toolchain.AttributePrefix; a fixture holds them together.
const attributePrefix = "plumb:"

// A mark is an attribute of a function.
type mark struct {
	fn   ir.FuncID
	text string
}

// markSection notes the attribute in the name of a section.
func (l *linker) markSection(id ir.FuncID, f *bitcode.Func) {
	if text, ok := strings.CutPrefix(f.Section, attributePrefix); ok {
		l.marks = append(l.marks, mark{id, text})
	}
}

// attributes applies all marks, those of annotations too. These would otherwise
// look like tables of functions, so they are taken out of the program.
func (l *linker) attributes() {
	for i := range l.prog.Globals {
		g := &l.prog.Globals[i]
		if g.Linkage != ir.Appending || g.Name != "llvm.global.annotations" {
			continue
		}
		for k := 0; k+1 < len(g.Init); k++ {
			fn, text := &g.Init[k], &g.Init[k+1]
			if fn.Kind != ir.CellFunc || text.Kind != ir.CellGlobal || text.Global == 0 {
				continue
			}
			init := l.prog.Globals[text.Global].Init
			if len(init) != 1 || init[0].Kind != ir.CellBytes {
				continue
			}
			if text, ok := strings.CutPrefix(strings.TrimRight(init[0].Bytes, "\x00"), attributePrefix); ok {
				l.marks = append(l.marks, mark{fn.Func, text})
			}
		}
		g.Init = nil
	}
	for _, m := range l.marks {
		l.apply(m)
	}
}

func (l *linker) apply(m mark) {
	name, rest, _ := strings.Cut(m.text, " ")
	args := strings.Split(rest, ",")
	for i := range args {
		args[i] = strings.TrimSpace(args[i])
	}
	f := &l.prog.Funcs[m.fn]
	switch name {
	case "ownership_returns":
		f.Flags |= ir.NoAlias
		setAlloc(f, "alloc:"+args[0])
	case "ownership_takes":
		setAlloc(f, "free:"+args[0])
		for _, a := range args[1:] {
			frees(f, a)
		}
	case "malloc":
		f.Flags |= ir.NoAlias
		setAlloc(f, "alloc:"+args[0])
		d := l.funcs[args[0]]
		if d == nil || d.sym.fn == 0 {
			return // nobody uses it
		}
		release := &l.prog.Funcs[d.sym.fn]
		setAlloc(release, "free:"+args[0])
		if len(args) == 1 {
			args = append(args, "1")
		}
		frees(release, args[1])
	case "ownership_holds":
		for _, a := range args[1:] {
			holds(f, a)
		}
	}
}

func setAlloc(f *ir.Func, alloc string) {
	if f.Alloc == "" {
		f.Alloc = alloc
	}
}

// frees notes that f releases what its parameter points to, counted from 1.
func frees(f *ir.Func, param string) {
	if p := named(f, param); p != nil {
		*p |= ir.ParamFreed
	}
}

// holds notes that f keeps what its parameter points to. So does any function
// without a body, unless that is const.
func holds(f *ir.Func, param string) {
	if p := named(f, param); p != nil {
		*p &^= ir.ParamConst
	}
}

// named returns the parameter with a number in the source, or nil.
func named(f *ir.Func, param string) *ir.ParamFlags {
	n, err := strconv.Atoi(param)
	if err != nil {
		return nil
	}
	if len(f.Params) > 0 && f.Params[0]&ir.ParamSRet != 0 {
		n++ // the place of the result is not written in the source
	}
	if n < 1 || n > len(f.Params) {
		return nil
	}
	return &f.Params[n-1]
}
