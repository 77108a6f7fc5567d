// This file reads metadata and gives the debug information in it a shape.

package bitcode

import "fmt"

// Metadata is a table of nodes. A function's table continues that of its module.
type Metadata struct {
	parent *Metadata // nil for a module
	base   MDID      // number of nodes in parent
	data   []byte    // the file, strings lie in it
	nodes  []mdEntry
	ops    []uint32 // operands of the nodes that are kept

	attach []globalAttach
}

// An mdEntry is a node. Nodes nobody asks for have a code and no operands.
type mdEntry struct {
	code uint8
	n    uint32
	off  uint32 // into ops; for a string into data
}

type globalAttach struct {
	value ValueID
	node  MDID
}

// keptMD are the codes whose operands are kept.
var keptMD = [64]bool{
	mdValue: true, mdNode: true, mdLocation: true, mdBasicType: true, mdFile: true, mdDerivedType: true,
	mdCompositeType: true, mdSubroutineType: true, mdCompileUnit: true, mdSubprogram: true, mdLexicalBlock: true,
	mdLexicalFile: true, mdNamespace: true, mdGlobalVar: true, mdLocalVar: true, mdExpression: true,
	mdGlobalVarExpr: true,
}

// Len returns the number of nodes, those of the parent included.
func (md *Metadata) Len() MDID { return md.base + MDID(len(md.nodes)) }

// reset empties the table of a function that starts.
func (md *Metadata) reset(parent *Metadata) {
	md.parent, md.base, md.data = parent, parent.Len(), parent.data
	md.nodes, md.ops = md.nodes[:0], md.ops[:0]
}

// readBlock reads one METADATA block.
func (md *Metadata) readBlock(r *reader, m *Module) {
	md.data = m.data
	r.enterBlock(blkMetadata)
	r.walk(r.refuse("the metadata"), func(code uint64) { md.readRecord(r, code) })
}

func (md *Metadata) readRecord(r *reader, code uint64) {
	switch code {
	case mdStrings:
		md.readStrings(r)
	case mdName, mdKind, mdNamedNode, mdIndexOffset, mdIndex:
	case mdGlobalAttach:
		for i := 1; i+1 < len(r.rec); i += 2 {
			if r.rec[i] == 0 { // the kind of !dbg
				md.attach = append(md.attach, globalAttach{ValueID(r.rec[0]), MDID(r.rec[i+1])})
			}
		}
	default:
		if !knownMD(code) {
			r.fail("unknown metadata record %d", code)
			return
		}
		e := mdEntry{code: uint8(code), off: uint32(len(md.ops))}
		if keptMD[code] {
			e.n = uint32(len(r.rec))
			for _, x := range r.rec {
				md.ops = append(md.ops, uint32(min(x, 1<<32-1)))
			}
		}
		md.nodes = append(md.nodes, e)
	}
}

// knownMD reports whether code is a node that takes a number.
func knownMD(code uint64) bool {
	switch code {
	case 0, mdStringOld, 8, 9, 11, 42, 43: // obsolete before LLVM 14, or never used
		return false
	}
	return code < mdLastKnown+1
}

// readStrings reads all strings of a block: [count, offset] and a blob that
// holds the lengths, then at offset the characters.
func (md *Metadata) readStrings(r *reader) {
	count, off := r.at(0), r.at(1)
	if r.err != nil {
		return
	}
	if off > uint64(len(r.blob)) || count > off*8 {
		r.fail("metadata strings lie outside their blob")
		return
	}
	lengths := newReader(r.blob[:off])
	at, end := r.blobAt+off, r.blobAt+uint64(len(r.blob))
	for range count {
		n := lengths.vbr(6)
		if lengths.err != nil || n > end-at {
			r.fail("metadata strings are cut short")
			return
		}
		md.nodes = append(md.nodes, mdEntry{code: mdStrings, n: uint32(n), off: uint32(at)})
		at += n
	}
}

// check refuses attachments to values that do not exist, and hands the others out.
func (md *Metadata) check(n ValueID, m *Module) error {
	for _, a := range md.attach {
		if a.value >= n {
			return fmt.Errorf("metadata is attached to value %d of %d", a.value, n)
		}
		switch v := &m.Values[a.value]; v.Kind {
		case ValGlobal:
			m.Globals[v.Index].Debug = a.node
		case ValFunc:
			m.Funcs[v.Index].Debug = a.node
		}
	}
	return nil
}

// node returns the operands of node id if it has the code, else nil.
func (md *Metadata) node(id MDID, code uint8) []uint32 {
	if md.parent != nil && id < md.base {
		return md.parent.node(id, code)
	}
	i := id - md.base
	if i >= MDID(len(md.nodes)) {
		return nil
	}
	e := &md.nodes[i]
	if e.code != code || code == mdStrings { // the offset of a string is not one of operands
		return nil
	}
	return md.ops[e.off : e.off+e.n]
}

// code returns the record code of node id, or 0.
func (md *Metadata) code(id MDID) uint8 {
	if md.parent != nil && id < md.base {
		return md.parent.code(id)
	}
	if i := id - md.base; i < MDID(len(md.nodes)) {
		return md.nodes[i].code
	}
	return 0
}

// ref returns operand i as a reference; they are stored plus one, 0 for none.
func ref(ops []uint32, i int) MDID {
	if i >= len(ops) || ops[i] == 0 {
		return NoMD
	}
	return MDID(ops[i] - 1)
}

func op(ops []uint32, i int) uint32 {
	if i >= len(ops) {
		return 0
	}
	return ops[i]
}

// String returns the text of a string node, "" for anything else.
func (md *Metadata) String(id MDID) string {
	if md.parent != nil && id < md.base {
		return md.parent.String(id)
	}
	if i := id - md.base; i < MDID(len(md.nodes)) && md.nodes[i].code == mdStrings {
		e := &md.nodes[i]
		return string(md.data[e.off : uint64(e.off)+uint64(e.n)])
	}
	return ""
}

// Value returns the value that a value-as-metadata node wraps.
func (md *Metadata) Value(id MDID) ValueID {
	if ops := md.node(id, mdValue); len(ops) >= 2 {
		return ValueID(ops[1])
	}
	return NoValue
}

// List returns the operands of a plain node.
func (md *Metadata) List(id MDID) []MDID {
	ops := md.node(id, mdNode)
	list := make([]MDID, len(ops))
	for i := range ops {
		list[i] = ref(ops, i)
	}
	return list
}
