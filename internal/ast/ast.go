// Package ast knows how functions are written: the syntax trees that clang has
// of them, with the byte ranges of their statements.
//
// What is analysed is bitcode, and what is to be changed is text; this package
// leads from positions of the one (line and column of an instruction) to
// statements of the other. It has clang parse a unit with its own arguments and
// dump the functions asked for as JSON, and keeps of that a compact tree:
// implicit casts and other nodes that nobody wrote are folded away, and
// statements end after their semicolon.
//
// Macros are the limit of it. A node that comes out of a macro expansion has the
// range of the whole invocation and is marked; its text is not the node's text.
// Code that the preprocessor leaves out is not in the tree; Text has the tokens
// and the directives of the whole file, for those who must not break it.
//
// Cost: one parse of the unit for each function, or one dump of the whole unit,
// about five parses, when many are wanted; the dump is read as a stream.
package ast

// A Unit is one source file as it was compiled, as far as it was loaded.
type Unit struct {
	CXX   bool    // C++, not C
	Funcs []*Func // in the order of Load's wants; nil where Errs says why
	Errs  []error

	cmd  Command
	read func(string) ([]byte, error)

	texts    map[string]*Text // by the absolute path
	decls    map[string]Decl  // declarations at file level that were seen, by name
	complete bool             // decls has all there are
	asked    map[string]bool  // names that decls is complete for
	macros   map[string]bool  // nil until asked
}

// A Func is the definition of a function.
type Func struct {
	Unit   *Unit
	Node   *Node   // of the definition
	Name   string  // unqualified
	Type   string  // int (char *)
	Result string  // int; "" for constructors and destructors
	Params []*Node // ParmVarDecls
	Body   *Node   // its CompoundStmt; of a function-try-block the CXXTryStmt
	File   string  // absolute
	Text   *Text   // of File

	line  int              // of the name
	fresh map[fresh]string // names given for new variables
	used  map[string]bool  // words that no new variable should have for a name; nil until asked
	byID  map[string]*Node
}

// A Node is a statement, an expression or a declaration.
type Node struct {
	Kind     string // clang's: IfStmt, CallExpr, VarDecl
	Begin    int    // byte offset in the file; of variables behind the first of a declaration, without the type
	End      int    // behind the last byte; a statement's includes its semicolon
	Line     int    // of Begin, 1-based
	Col      int    // of Begin, 1-based, in bytes
	Parent   *Node
	Children []*Node // in clang's order; nil where clang has none, such as the condition of for (;;)

	Name   string // declared, referred to, or of a label or member
	Type   string // as written; of an expression or declaration
	Canon  string // Type without typedefs, when it differs
	Op     string // operator; kind of a cast
	Value  string // of a literal
	Ref    *Ref   // what a DeclRefExpr refers to
	Member string // identity of the member that a MemberExpr names

	Macro     bool // begins or ends in a macro expansion
	Invoked   bool // begins and ends in one: its range is that of the invocation
	Elsewhere bool // begins or ends in another file
	Stmt      bool // stands where a statement stands
	Open      bool // a statement whose semicolon is not where it should be: a macro has it
	Implicit  bool // nobody wrote it
	Arrow     bool // p->m, not s.m
	Postfix   bool // i++, not ++i
	Array     bool // delete[], new[]
	Static    bool // storage class static or extern

	id         string
	defaulted  bool // = default
	elided     bool // a copy that is not made
	hasElse    bool
	hasInit    bool
	hasVar     bool
	declID     string // of a LabelStmt
	targetID   string // of a GotoStmt
	initStyle  string // of a VarDecl: "c", "call", "list"; "" without initialiser
	begin, end loc
	pos        loc    // of a declaration's name
	folded     string // kinds of casts that were folded into it
}

// A Ref is a declaration referred to.
type Ref struct {
	Kind string // VarDecl, ParmVarDecl, FunctionDecl, EnumConstantDecl ...
	Name string
	Type string
	Node *Node // the declaration when it is in the same function

	id string
}

// A Decl is a declaration at file level.
type Decl struct {
	Kind     string // FunctionDecl, TypedefDecl, VarDecl, RecordDecl ...
	Name     string
	Type     string
	File     string // as clang writes it
	Line     int
	Implicit bool // not declared but known to the compiler
}

// A loc is a place of clang's: where the source has it, expansions seen from outside.
type loc struct {
	off, line, length int
	file              string
	macro             bool
	valid             bool
	renumbered        bool // by a #line directive
}
