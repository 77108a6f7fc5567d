// This file reads a program's text form, see Print. What is inside functions is
// read elsewhere.

package ir

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// Parse reads the text form of a program. The name is that of the text, for
// errors, which give the line too.
//
// It checks what it must to build the program; Verify checks the rest.
func Parse(name string, src []byte) (*Program, error) {
	r := &reader{lexer: lexer{name: name, src: src, line: 1}, p: &Program{PtrBits: 64}, sigs: map[string]SigID{}}
	r.p.Units, r.p.Files, r.p.Sigs = make([]Unit, 1), make([]string, 1), make([]string, 1)
	r.p.Structs = make([]Struct, 1)
	r.declare()
	r.advance()
	for r.tok.kind != tokEOF {
		r.item()
	}
	for _, c := range r.calls {
		f := &r.p.Funcs[c.f]
		f.Values[c.v].Aux = uint32(r.p.impliedSig(f, c.v))
	}
	if r.err != nil {
		return nil, r.err
	}
	return r.p, nil
}

// A reader is the state of Parse.
type reader struct {
	lexer
	tok     token // the token looked at
	p       *Program
	symbols map[string][]symbol
	sigs    map[string]SigID
	globals GlobalID // read so far
	funcs   FuncID
	calls   []callRef // calls that take the signature of their callee
}

// A symbol is a function or a global: one id is 0.
type symbol struct {
	f FuncID
	g GlobalID
}

type callRef struct {
	f FuncID
	v ValueID
}

// declare numbers the functions and globals, so that they can be named before they come.
func (r *reader) declare() {
	r.symbols = map[string][]symbol{}
	nf, ng := FuncID(1), GlobalID(1)
	line := 0
	for text := range bytes.Lines(r.src) {
		line++
		text = bytes.TrimSpace(text)
		isFunc, isGlobal := bytes.HasPrefix(text, []byte("func @")), bytes.HasPrefix(text, []byte("global @"))
		if !isFunc && !isGlobal {
			continue
		}
		l := lexer{name: r.name, src: text, line: line}
		l.next()
		name := l.next().text
		if l.err != nil {
			r.err = l.err
			return
		}
		if isFunc {
			r.symbols[name] = append(r.symbols[name], symbol{f: nf})
			nf++
		} else {
			r.symbols[name] = append(r.symbols[name], symbol{g: ng})
			ng++
		}
	}
	r.p.Funcs, r.p.Globals = make([]Func, nf), make([]Global, ng)
}

// item reads one definition.
func (r *reader) item() {
	if r.tok.kind == tokNewline {
		r.advance()
		return
	}
	switch word := r.word(); word {
	case "program":
		bits := r.word()
		n, err := strconv.ParseUint(strings.TrimPrefix(bits, "ptr"), 10, 32)
		if err != nil {
			r.unexpected("ptr64 or ptr32")
		}
		r.p.PtrBits = uint32(n)
	case "unit":
		r.inOrder(len(r.p.Units))
		u := Unit{Name: r.string()}
		lang := r.tok.text
		r.advance()
		for r.accept("+") {
			lang += "+"
		}
		u.Lang = Lang(r.index(langNames[:], lang, "language"))
		u.Triple = r.string()
		r.p.Units = append(r.p.Units, u)
	case "file":
		r.inOrder(len(r.p.Files))
		r.p.Files = append(r.p.Files, r.string())
	case "sig":
		r.inOrder(len(r.p.Sigs))
		r.sigID(r.string())
	case "struct":
		r.structDef()
	case "global":
		r.global()
	case "func":
		r.function()
	default:
		r.fail(r.tok.line, "unknown item %q", word)
	}
	r.endLine()
}

// inOrder reads an id, which must be n.
func (r *reader) inOrder(n int) {
	line := r.tok.line
	if got := r.number(32); got != uint64(n) {
		r.fail(line, "id %d, want %d", got, n)
	}
}

// sigID returns the id of a signature, a new one if need be.
func (r *reader) sigID(s string) SigID {
	id, ok := r.sigs[s]
	if !ok {
		id = SigID(len(r.p.Sigs))
		r.p.Sigs = append(r.p.Sigs, s)
		r.sigs[s] = id
	}
	return id
}

func (r *reader) structDef() {
	if r.tok.kind != tokStruct || r.tok.text != strconv.Itoa(len(r.p.Structs)) {
		r.unexpected("$" + strconv.Itoa(len(r.p.Structs)))
	}
	r.advance()
	s := Struct{Union: r.accept("union")}
	s.Name = r.string()
	r.expect("size")
	r.expect("=")
	s.Size = r.number(64)
	r.list("{", "}", func() {
		f := Field{Off: r.number(64), Type: r.typ()}
		if r.tok.kind == tokString {
			f.Name = r.string()
		}
		f.Struct = r.structRef()
		s.Fields = append(s.Fields, f)
	})
	r.p.Structs = append(r.p.Structs, s)
}

// list reads elements set apart by semicolons or new lines.
func (r *reader) list(open, end string, element func()) {
	r.expect(open)
	for r.err == nil {
		for r.tok.kind == tokNewline || r.is(";") {
			r.advance()
		}
		if r.accept(end) {
			return
		}
		element()
		if !r.is(end) && !r.is(";") && r.tok.kind != tokNewline {
			r.unexpected(end)
		}
	}
}

func (r *reader) global() {
	if r.tok.kind != tokSymbol || int(r.globals)+1 >= len(r.p.Globals) {
		r.unexpected("@name")
		return
	}
	r.globals++
	r.checkID("g", uint64(r.globals))
	g := &r.p.Globals[r.globals]
	g.Name, g.Linkage = r.tok.text, External
	for r.advance(); r.tok.kind != tokNewline && r.tok.kind != tokEOF && !r.is("{"); {
		r.globalAttr(g)
	}
	if r.is("{") {
		r.list("{", "}", func() { g.Init = append(g.Init, r.cell()) })
	}
}

func (r *reader) globalAttr(g *Global) {
	if r.tok.kind == tokStruct {
		g.Struct = r.structRef()
		return
	}
	switch word := r.word(); word {
	case "unit":
		g.Unit = UnitID(r.attr())
	case "size":
		r.expect("=")
		g.Size = r.number(64)
	case "decl":
		g.Decl = true
	case "const":
		g.Const = true
	case "tls":
		g.ThreadLocal = true
	case "at":
		g.File, g.Line = r.at()
	case "display":
		r.expect("=")
		g.Display = r.string()
	default:
		if i := slices.Index(linkageNames[:], word); i > 0 {
			g.Linkage = Linkage(i)
			return
		}
		g.Type = r.typeOf(word)
	}
}

func (r *reader) cell() Cell {
	c := Cell{Off: r.number(64)}
	if r.tok.kind == tokString {
		c.Kind, c.Bytes = CellBytes, r.string()
		return c
	}
	c.Type = r.typ()
	switch {
	case r.accept("?"):
		c.Kind = CellOpaque
	case r.tok.kind == tokSymbol:
		s := r.symbol()
		c.Kind, c.Func = CellFunc, s.f
		if s.g != 0 {
			c.Kind, c.Global = CellGlobal, s.g
		}
		c.Int = r.offset()
	case strings.HasPrefix(r.tok.text, "0x"):
		c.Kind, c.Int = CellFloat, r.immediate()
	default:
		c.Kind, c.Int = CellInt, r.immediate()
	}
	return c
}
