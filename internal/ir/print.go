// This file writes a program as text.
//
// The text carries all that a Program holds, apart from how its flat arrays are
// laid out, and Parse reads it back:
//
//	program ptr64
//	unit 1 "parse.c" c "x86_64-pc-linux-gnu"
//	file 1 "/src/parse.c"
//	sig 1 "i32(ptr)"
//	struct $1 "cfg" size=16 { 0 i32 "id"; 8 ptr "name" }
//	global @table internal unit=1 const agg16 size=16 $1 at f1:3 { 0 i32 7; 8 ptr @.str }
//	func @malloc(%1) ptr external decl sig="ptr(i64)"
//	func @parse(%1: ptr s#1) i32 external unit=1 sig="i32(ptr)" at f1:5 {
//	  scope s1 at f1:5:0 "parse"
//	  var #1 "s" "char *" s1 line=5 arg=1
//	  var #2 "buf" "char *" s1 line=6
//	b1:
//	  %4: ptr buf#2 = call @malloc(i64 16)            ; parse.c:6:15 s1
//	  set buf#2 = %4                                  ; parse.c:6:9 s1
//	  %6: i1 = icmp eq %4, null                       ; parse.c:7:7 s1
//	  condbr %6, b2, b3                               ; parse.c:7:7 s1
//
// What is not obvious:
//   - Ids of units, files, sigs, structs, scopes and variables are given; globals
//     and functions are numbered as they come. @name is one of them; where a name
//     is not unique its id follows, @name#f12 or @name#g3.
//   - A constant is written where it is used: i64 16, f64 0x4008000000000000,
//     null, agg16 null, i32 undef, vec16 data "...", @symbol, label b3, asm "...".
//     i128 ~5 is a number of which only the low 64 bits are known.
//   - After the result and its type comes the variable: %4: ptr buf#2. The name is
//     for the reader, the number counts.
//   - gep %3 + 8 + %4*16 {cfg.name $1.1}: base, offset, index times stride, and
//     the fields passed, where $1.1 counts.
//   - The predecessors of a block with several follow it, b4: <- b2, b3. They
//     may be left out, in which case they are in the order of the blocks.
//   - A location is "; file:line:col scope", and "in" another one when inlined. The
//     scope names the file, the file's name is for the reader.
//   - // starts a comment. Dumps put what an analysis knows there.
//
// Normal form: a function's constants are in the order of their first use, each
// once, and none is unused. Parse makes programs in normal form; a program in
// normal form has the same ids after Print and Parse.

package ir

import (
	"io"
	"path"
	"strconv"
	"strings"
)

// Print writes all of p.
func Print(w io.Writer, p *Program) error {
	pr := NewPrinter(p)
	if err := pr.header(w); err != nil {
		return err
	}
	for id := 1; id < len(p.Funcs); id++ {
		if err := pr.Func(w, FuncID(id)); err != nil {
			return err
		}
	}
	return nil
}

// PrintFunc writes one function of p. To write many, use a Printer.
func PrintFunc(w io.Writer, p *Program, id FuncID) error { return NewPrinter(p).Func(w, id) }

// FuncString returns one function as text.
func (p *Program) FuncString(id FuncID) string {
	var b strings.Builder
	_ = PrintFunc(&b, p, id) // a Builder does not fail
	return b.String()
}

// A Printer writes functions of one program. It is not safe for concurrent use.
type Printer struct {
	// Note, if not nil, returns what an analysis has to say about an instruction.
	// It is written behind it as a comment.
	Note func(f FuncID, v ValueID) string

	p      *Program
	unique map[string]bool // symbol names borne by exactly one function or global
	buf    []byte
}

// NewPrinter returns a Printer for p.
func NewPrinter(p *Program) *Printer {
	pr := &Printer{p: p, unique: make(map[string]bool, len(p.Funcs)+len(p.Globals))}
	add := func(name string) {
		_, seen := pr.unique[name]
		pr.unique[name] = !seen && name != ""
	}
	for id := 1; id < len(p.Globals); id++ {
		add(p.Globals[id].Name)
	}
	for id := 1; id < len(p.Funcs); id++ {
		add(p.Funcs[id].Name)
	}
	return pr
}

func (pr *Printer) flush(w io.Writer) error {
	_, err := w.Write(pr.buf)
	pr.buf = pr.buf[:0]
	return err
}

// header writes everything but the functions.
func (pr *Printer) header(w io.Writer) error {
	p := pr.p
	pr.str("program ptr").uint(uint64(p.PtrBits)).str("\n")
	for id := 1; id < len(p.Units); id++ {
		u := &p.Units[id]
		lang := "?"
		if int(u.Lang) < len(langNames) {
			lang = langNames[u.Lang]
		}
		pr.str("unit ").uint(uint64(id)).str(" ").quote(u.Name).str(" " + lang + " ").quote(u.Triple).str("\n")
	}
	for id := 1; id < len(p.Files); id++ {
		pr.str("file ").uint(uint64(id)).str(" ").quote(p.Files[id]).str("\n")
	}
	for id := 1; id < len(p.Sigs); id++ {
		pr.str("sig ").uint(uint64(id)).str(" ").quote(p.Sigs[id]).str("\n")
	}
	for id := 1; id < len(p.Structs); id++ {
		pr.structDef(StructID(id))
	}
	for id := 1; id < len(p.Globals); id++ {
		pr.global(GlobalID(id))
		if len(pr.buf) > 1<<16 {
			if err := pr.flush(w); err != nil {
				return err
			}
		}
	}
	return pr.flush(w)
}

func (pr *Printer) structDef(id StructID) {
	s := &pr.p.Structs[id]
	pr.str("struct $").uint(uint64(id)).str(" ")
	if s.Union {
		pr.str("union ")
	}
	pr.quote(s.Name).str(" size=").uint(s.Size).str(" {")
	for i, f := range s.Fields {
		if i > 0 {
			pr.str(";")
		}
		pr.str(" ").uint(f.Off).str(" ").typ(f.Type)
		if f.Name != "" {
			pr.str(" ").quote(f.Name)
		}
		pr.structRef(f.Struct)
	}
	pr.str(" }\n")
}

func (pr *Printer) global(id GlobalID) {
	g := &pr.p.Globals[id]
	pr.str("global ").globalRef(id)
	pr.linkage(g.Linkage)
	pr.attr("unit", uint64(g.Unit))
	pr.word(g.Decl, "decl").word(g.Const, "const").word(g.ThreadLocal, "tls")
	pr.str(" ").typ(g.Type).str(" size=").uint(g.Size)
	pr.structRef(g.Struct)
	pr.at(g.File, g.Line)
	pr.text("display", g.Display)
	if len(g.Init) > 0 {
		sep, end := " ", " }"
		if len(g.Init) > 4 {
			sep, end = "\n  ", "\n}"
		}
		pr.str(" {")
		for i := range g.Init {
			if i > 0 && sep == " " {
				pr.str(";")
			}
			pr.str(sep).cell(&g.Init[i])
		}
		pr.str(end)
	}
	pr.str("\n")
}

func (pr *Printer) cell(c *Cell) {
	pr.uint(c.Off).str(" ")
	if c.Kind == CellBytes {
		pr.quote(c.Bytes)
		return
	}
	pr.typ(c.Type).str(" ")
	switch c.Kind {
	case CellInt:
		pr.int(c.Int)
	case CellFloat:
		pr.hex(uint64(c.Int))
	case CellFunc:
		pr.funcRef(c.Func).offset(c.Int)
	case CellGlobal:
		pr.globalRef(c.Global).offset(c.Int)
	default:
		pr.str("?")
	}
}

// The pieces. Each returns pr, so that they chain.

func (pr *Printer) str(s string) *Printer {
	pr.buf = append(pr.buf, s...)
	return pr
}

func (pr *Printer) uint(n uint64) *Printer {
	pr.buf = strconv.AppendUint(pr.buf, n, 10)
	return pr
}

func (pr *Printer) int(n int64) *Printer {
	pr.buf = strconv.AppendInt(pr.buf, n, 10)
	return pr
}

func (pr *Printer) hex(n uint64) *Printer {
	pr.buf = strconv.AppendUint(append(pr.buf, "0x"...), n, 16)
	return pr
}

func (pr *Printer) quote(s string) *Printer {
	pr.buf = strconv.AppendQuote(pr.buf, s)
	return pr
}

// name writes s bare when the lexer would read it as one word, else quoted.
func (pr *Printer) name(s string) *Printer {
	if isWord(s) {
		return pr.str(s)
	}
	return pr.quote(s)
}

func (pr *Printer) word(on bool, s string) *Printer {
	if on {
		pr.str(" ").str(s)
	}
	return pr
}

// flags writes the names of the bits set in n, each after a space.
func (pr *Printer) flags(n uint64, names []string) {
	for i, name := range names {
		pr.word(n&(1<<i) != 0, name)
	}
	if rest := n >> len(names); rest != 0 {
		pr.attr("unknown", rest<<len(names))
	}
}

// attr writes key=n unless n is 0.
func (pr *Printer) attr(key string, n uint64) {
	if n != 0 {
		pr.str(" ").str(key).str("=").uint(n)
	}
}

// text writes key="s" unless s is empty.
func (pr *Printer) text(key, s string) {
	if s != "" {
		pr.str(" ").str(key).str("=").quote(s)
	}
}

func (pr *Printer) at(file FileID, line uint32) {
	if file != 0 || line != 0 {
		pr.str(" at f").uint(uint64(file)).str(":").uint(uint64(line))
	}
}

func (pr *Printer) linkage(l Linkage) {
	if l == 0 || int(l) >= len(linkageNames) {
		pr.str(" ?linkage")
		return
	}
	pr.str(" ").str(linkageNames[l])
}

func (pr *Printer) typ(t Type) *Printer {
	if t.Kind() > Token {
		return pr.str("?type")
	}
	return pr.str(t.String())
}

func (pr *Printer) structRef(id StructID) {
	if id != 0 {
		pr.str(" $").uint(uint64(id))
	}
}

func (pr *Printer) offset(n int64) {
	if n >= 0 {
		if n > 0 {
			pr.str(" + ").int(n)
		}
		return
	}
	pr.str(" - ").uint(-uint64(n))
}

func (pr *Printer) symbol(name string, kind string, id uint64) *Printer {
	pr.str("@")
	if isSymbol(name) {
		pr.str(name)
	} else {
		pr.quote(name)
	}
	if !pr.unique[name] {
		pr.str("#" + kind).uint(id)
	}
	return pr
}

func (pr *Printer) funcRef(id FuncID) *Printer {
	if id == 0 || int(id) >= len(pr.p.Funcs) {
		return pr.str("@#f").uint(uint64(id))
	}
	return pr.symbol(pr.p.Funcs[id].Name, "f", uint64(id))
}

func (pr *Printer) globalRef(id GlobalID) *Printer {
	if id == 0 || int(id) >= len(pr.p.Globals) {
		return pr.str("@#g").uint(uint64(id))
	}
	return pr.symbol(pr.p.Globals[id].Name, "g", uint64(id))
}

func (pr *Printer) fileName(id FileID) *Printer {
	if int(id) >= len(pr.p.Files) {
		return pr.str("?")
	}
	return pr.name(path.Base(pr.p.Files[id]))
}
