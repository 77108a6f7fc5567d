// This file reads functions: their signature, tables and blocks.

package ir

import (
	"slices"
	"strconv"
)

// While a function is read, an operand is a parameter's id, the number of a
// constant with constBit, or the number of a name with nameBit: a name may be
// used before it is defined, and the ids of instructions depend on how many
// constants there are.
const (
	constBit ValueID = 1 << 30
	nameBit  ValueID = 1 << 31
)

// A body is the state of reading one function.
type body struct {
	*reader
	f      *Func
	id     FuncID
	names  map[string]ValueID // parameters and results
	uses   []use              // by number of the name
	consts []Value
	key    map[constKey]ValueID
	insts  []Value
	locs   map[Loc]LocID
	labels map[uint32]BlockID
	blocks []rawBlock // Blocks[i+1]
	phis   []rawPhi
	calls  []int // indices of calls without a written signature
}

// A use is a name and what it turned out to be.
type use struct {
	name string
	line int
	inst int // index in insts, -1 while undefined
}

// A rawBlock has labels where a Block has ids.
type rawBlock struct {
	first, end   int // in insts
	line         int
	succs, preds []uint32
	hasPreds     bool
}

// A rawPhi remembers where the operands of a phi come from.
type rawPhi struct {
	inst, block, line int
	from              []uint32
}

func (r *reader) function() {
	if r.tok.kind != tokSymbol || int(r.funcs)+1 >= len(r.p.Funcs) {
		r.unexpected("@name")
		return
	}
	r.funcs++
	r.checkID("f", uint64(r.funcs))
	f := &r.p.Funcs[r.funcs]
	f.Name, f.Linkage = r.tok.text, External
	b := &body{reader: r, f: f, id: r.funcs, names: map[string]ValueID{}, key: map[constKey]ValueID{},
		locs: map[Loc]LocID{}, labels: map[uint32]BlockID{}}
	r.advance()
	params, vars := b.params()
	f.Result = r.typ()
	for r.tok.kind != tokNewline && r.tok.kind != tokEOF && !r.is("{") {
		r.funcAttr(f)
	}
	if !r.is("{") {
		f.Flags |= Decl
		return
	}
	if f.IsDecl() {
		r.unexpected("end of line after a declaration")
	}
	for i, t := range params {
		if t.Kind() == Void {
			r.fail(r.tok.line, "parameter %d has no type", i+1)
		}
	}
	b.read(params, vars)
}

// params reads the parameters; types and variables may be missing.
func (b *body) params() (types []Type, vars []token) {
	b.expect("(")
	for b.err == nil && !b.accept(")") {
		if len(types) > 0 {
			b.expect(",")
		}
		if b.tok.kind != tokValue {
			b.unexpected("%N")
			return
		}
		if _, ok := b.names[b.tok.text]; ok {
			b.fail(b.tok.line, "%s is defined twice", b.tok)
		}
		b.names[b.tok.text] = ValueID(len(types) + 1)
		b.advance()
		var t Type
		if b.accept(":") {
			t = b.typ()
		}
		types = append(types, t)
		v := token{}
		flags := uint64(0)
		for b.tok.kind == tokWord || b.tok.kind == tokVar {
			bit := b.flag(paramFlagNames)
			flags |= bit
			if bit == 0 {
				v = b.tok
				if v.kind != tokVar {
					b.unexpected("a variable")
				}
				b.advance()
			}
		}
		vars = append(vars, v)
		b.f.Params = append(b.f.Params, ParamFlags(flags))
	}
	b.f.NParams = uint32(len(types))
	return types, vars
}

func (r *reader) funcAttr(f *Func) {
	if bit := r.flag(funcFlagNames); bit != 0 {
		f.Flags |= FuncFlags(bit)
		return
	}
	switch word := r.word(); word {
	case "unit":
		f.Unit = UnitID(r.attr())
	case "sig":
		f.Sig = r.sigAttr()
	case "at":
		f.File, f.Line = r.at()
	case "display":
		r.expect("=")
		f.Display = r.string()
	case "alloc":
		r.expect("=")
		f.Alloc = r.string()
	case "personality":
		r.expect("=")
		f.Personality = r.symbol().f
	default:
		f.Linkage = Linkage(r.index(linkageNames[:], word, "attribute"))
	}
}

// read reads what is between the braces.
func (b *body) read(params []Type, vars []token) {
	f := b.f
	f.Scopes, f.Vars, f.Locs = make([]Scope, 1), make([]Var, 1), make([]Loc, 1)
	b.expect("{")
	for b.err == nil && !b.is("}") {
		switch {
		case b.tok.kind == tokNewline:
			b.advance()
			continue
		case len(b.blocks) == 0 && b.accept("scope"):
			b.scope()
		case len(b.blocks) == 0 && b.accept("var"):
			b.variable()
		default:
			if n, ok := numbered(b.tok, "b"); ok {
				b.label(n)
			} else {
				b.inst()
			}
		}
		b.endLine()
	}
	b.expect("}")
	if b.err == nil {
		b.finish(params, vars)
	}
}

func (b *body) scope() {
	line := b.tok.line
	if n := b.prefixed("s"); int(n) != len(b.f.Scopes) {
		b.fail(line, "scope s%d, want s%d", n, len(b.f.Scopes))
	}
	var s Scope
	if b.accept("in") {
		s.Parent = ScopeID(b.prefixed("s"))
	}
	if b.accept("at") {
		s.File, s.Line = b.at()
		b.expect(":")
		s.Col = uint32(b.number(32))
	}
	if b.tok.kind == tokString {
		s.Func = b.string()
	}
	b.f.Scopes = append(b.f.Scopes, s)
}

func (b *body) variable() {
	if b.tok.kind != tokVar || b.tok.text != strconv.Itoa(len(b.f.Vars)) {
		b.unexpected("#" + strconv.Itoa(len(b.f.Vars)))
	}
	b.advance()
	v := Var{Name: b.string(), Type: b.string()}
	for b.tok.kind == tokWord {
		switch {
		case b.accept("line"):
			v.Line = b.attr()
		case b.accept("arg"):
			v.Arg = b.fits16()
		case b.accept("artificial"):
			v.Artificial = true
		default:
			v.Scope = ScopeID(b.prefixed("s"))
		}
	}
	b.f.Vars = append(b.f.Vars, v)
}

// label starts a block.
func (b *body) label(n uint32) {
	if b.labels[n] != 0 {
		b.fail(b.tok.line, "b%d is there twice", n)
	}
	blk := rawBlock{first: len(b.insts), end: len(b.insts), line: b.tok.line}
	b.advance()
	b.expect(":")
	if b.accept("<-") {
		blk.hasPreds = true
		blk.preds = b.labelList()
	}
	b.blocks = append(b.blocks, blk)
	b.labels[n] = BlockID(len(b.blocks))
}

func (b *body) labelList() []uint32 {
	list := []uint32{b.prefixed("b")}
	for b.accept(",") {
		list = append(list, b.prefixed("b"))
	}
	return list
}

// varRef reads a variable: buf#3 or #3.
func (b *body) varRef() VarID {
	t := b.tok
	if t.kind != tokVar {
		b.unexpected("a variable")
		return 0
	}
	b.advance()
	return b.varOf(t)
}

// varOf resolves a variable token.
func (b *body) varOf(t token) VarID {
	n, err := strconv.ParseUint(t.text, 10, 32)
	if err != nil || n == 0 || n >= uint64(len(b.f.Vars)) {
		b.fail(t.line, "no variable %s", t)
		return 0
	}
	if t.id != "" && t.id != b.f.Vars[n].Name {
		b.fail(t.line, "variable %s is %q, not %q", t, b.f.Vars[n].Name, t.id)
	}
	return VarID(n)
}

// loc reads "file:line:col scope", and "in" and another one if it was inlined.
func (b *body) loc() LocID {
	var chain []Loc
	for {
		if b.tok.kind == tokString || b.tok.kind == tokWord {
			b.advance()
			b.expect(":")
		}
		l := Loc{Line: uint32(b.number(32))}
		b.expect(":")
		l.Col = uint32(b.number(32))
		if b.tok.kind == tokWord && !b.is("in") {
			l.Scope = ScopeID(b.prefixed("s"))
		}
		chain = append(chain, l)
		if !b.accept("in") {
			break
		}
	}
	id := LocID(0)
	for _, l := range slices.Backward(chain) {
		l.Inlined = id
		known, ok := b.locs[l]
		if !ok {
			known = LocID(len(b.f.Locs))
			b.f.Locs = append(b.f.Locs, l)
			b.locs[l] = known
		}
		id = known
	}
	return id
}
