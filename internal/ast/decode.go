// This file reads clang's dump: the functions asked for become trees, the rest
// is skipped.

package ast

import (
	"io"
	"path/filepath"
	"strconv"
)

// A decoder reads one dump.
//
// Clang leaves out of a place what is as in the place it wrote before: the file,
// the line. So everything must be read in order, also what is skipped.
type decoder struct {
	lex *lexer

	file string // of the last place
	line int

	files map[string]string // the names of files, once each
	dir   string            // that names of files are relative to

	// wanted is asked for each definition of a function whether it is to be kept.
	wanted func(n *Node) bool
	found  []*Node
	decls  map[string]Decl
}

// run reads the whole stream: one object, or several from a filtered dump.
func (d *decoder) run() error {
	for {
		switch d.lex.next() {
		case tokEOF:
			if d.lex.err != io.EOF && d.lex.err != nil {
				return d.lex.err
			}
			return nil
		case '{':
			// A filtered dump writes each of its objects on its own.
			d.file, d.line = "", 0
			if _, err := d.node(nil, false, true); err != nil {
				return err
			}
		default:
			return errJSON
		}
	}
}

// node reads the rest of an object that is a node of the tree. It keeps it, with
// all below, when keep is set; else it looks for functions in it. Outer nodes
// are those at file level or in a namespace.
func (d *decoder) node(parent *Node, keep, outer bool) (*Node, error) {
	n := &Node{Parent: parent}
	declared := false
	for {
		switch d.lex.next() {
		case '}':
			if outer && !declared {
				d.declare(n)
			}
			if n.Kind == "" {
				return nil, nil // clang's way to write that there is no child
			}
			return n, nil
		case tokString:
		default:
			return nil, errJSON
		}
		if string(d.lex.val) == "inner" {
			if outer {
				d.declare(n)
				declared = true
			}
			if err := d.inner(n, keep, outer); err != nil {
				return nil, err
			}
			continue
		}
		if err := d.field(n); err != nil {
			return nil, err
		}
	}
}

// inner reads the children of a node.
func (d *decoder) inner(n *Node, keep, outer bool) error {
	root := !keep && isFunction(n.Kind) && d.wanted(n)
	keep = keep || root
	switch n.Kind {
	case "TranslationUnitDecl", "NamespaceDecl", "LinkageSpecDecl", "ExportDecl":
	default:
		outer = false
	}
	if d.lex.next() != '[' {
		return errJSON
	}
	for {
		switch d.lex.next() {
		case ']':
			if root {
				d.found = append(d.found, n)
			}
			return nil
		case '{':
			c, err := d.node(n, keep, outer)
			if err != nil {
				return err
			}
			if keep {
				n.Children = append(n.Children, c)
			}
		default:
			return errJSON
		}
	}
}

// declare remembers a declaration at file level.
func (d *decoder) declare(n *Node) {
	if n.Name == "" {
		return
	}
	if old, ok := d.decls[n.Name]; ok && (!old.Implicit || n.Implicit) {
		return
	}
	switch n.Kind {
	case "FunctionDecl", "VarDecl", "TypedefDecl", "TypeAliasDecl", "RecordDecl", "CXXRecordDecl", "EnumDecl", "FunctionTemplateDecl":
		d.decls[n.Name] = Decl{Kind: n.Kind, Name: n.Name, Type: n.Type, File: n.pos.file, Line: n.pos.line, Implicit: n.Implicit || !n.pos.valid}
	}
}

// field reads one field of a node other than its children; its key has been read.
func (d *decoder) field(n *Node) error {
	l := d.lex
	var err error
	switch string(l.val) {
	case "id":
		n.id, err = d.str()
	case "kind":
		n.Kind, err = d.str()
	case "name":
		n.Name, err = d.str()
	case "opcode", "castKind":
		n.Op, err = d.str()
	case "value":
		n.Value, err = d.str()
	case "init", "initStyle":
		n.initStyle, err = d.str()
	case "declId":
		n.declID, err = d.str()
	case "targetLabelDeclId":
		n.targetID, err = d.str()
	case "referencedMemberDecl":
		n.Member, err = d.str()
	case "storageClass":
		var s string
		s, err = d.str()
		n.Static = s == "static" || s == "extern"
	case "isImplicit", "implicit":
		n.Implicit, err = d.flag()
	case "hasElse":
		n.hasElse, err = d.flag()
	case "hasInit":
		n.hasInit, err = d.flag()
	case "hasVar":
		n.hasVar, err = d.flag()
	case "isArrow":
		n.Arrow, err = d.flag()
	case "isPostfix":
		n.Postfix, err = d.flag()
	case "explicitlyDefaulted":
		n.defaulted = true
		err = d.skip("")
	case "elidable":
		n.elided, err = d.flag()
	case "isArray":
		n.Array, err = d.flag()
	case "loc":
		n.pos, err = d.place()
	case "range":
		n.begin, n.end, err = d.span()
	case "type":
		n.Type, n.Canon, err = d.typ()
	case "referencedDecl":
		n.Ref, err = d.ref()
	default:
		err = d.skip(string(l.val))
	}
	return err
}

// str reads a string, or a word as one; of anything larger it makes nothing.
func (d *decoder) str() (string, error) {
	switch d.lex.next() {
	case tokString, tokWord:
		return string(d.lex.val), nil
	}
	d.lex.unread()
	return "", d.skip("")
}

func (d *decoder) flag() (bool, error) {
	s, err := d.str()
	return s == "true", err
}

func (d *decoder) number() (int, error) {
	s, err := d.str()
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(s)
}

// each calls do for each key of the object that comes next.
func (d *decoder) each(do func(key string) error) error {
	if d.lex.next() != '{' {
		return errJSON
	}
	for {
		switch d.lex.next() {
		case '}':
			return nil
		case tokString:
			if err := do(string(d.lex.val)); err != nil {
				return err
			}
		default:
			return errJSON
		}
	}
}

func (d *decoder) typ() (written, canon string, err error) {
	err = d.each(func(key string) (err error) {
		switch key {
		case "qualType":
			written, err = d.str()
		case "desugaredQualType":
			canon, err = d.str()
		default:
			err = d.skip(key)
		}
		return err
	})
	return written, canon, err
}

func (d *decoder) ref() (*Ref, error) {
	r := &Ref{}
	err := d.each(func(key string) (err error) {
		switch key {
		case "id":
			r.id, err = d.str()
		case "kind":
			r.Kind, err = d.str()
		case "name":
			r.Name, err = d.str()
		case "type":
			r.Type, _, err = d.typ()
		default:
			err = d.skip(key)
		}
		return err
	})
	return r, err
}

func (d *decoder) span() (begin, end loc, err error) {
	err = d.each(func(key string) (err error) {
		switch key {
		case "begin":
			begin, err = d.place()
		case "end":
			end, err = d.place()
		default:
			err = d.skip(key)
		}
		return err
	})
	return begin, end, err
}

// place reads a place; of one in a macro, where the macro is expanded.
func (d *decoder) place() (loc, error) {
	var p loc
	err := d.each(func(key string) (err error) {
		switch key {
		case "offset":
			p.off, err = d.number()
			p.valid = true
		case "file":
			var s string
			s, err = d.str()
			d.file, d.line = d.path(s), 0
		case "line":
			d.line, err = d.number()
		case "presumedFile", "presumedLine":
			p.renumbered = true
			err = d.skip(key)
		case "tokLen":
			p.length, err = d.number()
		case "spellingLoc":
			_, err = d.place()
		case "expansionLoc":
			p, err = d.place()
			p.macro = true
			return err
		default: // col, includedFrom, isMacroArgExpansion
			return d.skip(key)
		}
		p.file, p.line = d.file, d.line
		return err
	})
	return p, err
}

// path makes the name of a file absolute.
func (d *decoder) path(s string) string {
	if p, ok := d.files[s]; ok {
		return p
	}
	p := s
	if !filepath.IsAbs(p) {
		p = filepath.Join(d.dir, p)
	}
	p = filepath.Clean(p)
	d.files[s] = p
	return p
}

// skip reads a value that is not wanted; its key is given, since the places in it
// count for those that follow.
func (d *decoder) skip(key string) error {
	switch key {
	case "loc", "begin", "end", "spellingLoc", "expansionLoc":
		if d.lex.next() != '{' {
			return nil
		}
		d.lex.unread()
		_, err := d.place()
		return err
	}
	switch d.lex.next() {
	case tokString, tokWord:
		return nil
	case '[':
		for {
			switch d.lex.next() {
			case ']':
				return nil
			case tokEOF:
				return errJSON
			}
			d.lex.unread()
			if err := d.skip(""); err != nil {
				return err
			}
		}
	case '{':
		d.lex.unread()
		return d.each(d.skip)
	}
	return errJSON
}

// isFunction reports whether nodes of a kind are functions.
func isFunction(kind string) bool {
	switch kind {
	case "FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXDestructorDecl", "CXXConversionDecl":
		return true
	}
	return false
}
