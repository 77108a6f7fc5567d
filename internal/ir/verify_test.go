package ir

import (
	"strings"
	"testing"
)

func TestVerifyErrors(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"  ret %2\n  ret %2", "%3 in b1: a block must end in its only terminator\n\tret %2"},
		{"  %3: i32 = add %2, %2", "a block must end in its only terminator"},
		{"  %3: i32 = add %1, %2\n  ret %3", "types i32 and ptr differ"},
		{"  %3: i32 = add %2\n  ret %3", "1 operands"},
		{"  store %1\n  ret %2", "1 operands"},
		{"  store %1, %2\n  ret %2", "the address is i32"},
		{"  ret %1", "types i32 and ptr differ"},
		{"  ret", "types i32 and void differ"},
		{"  condbr %2, b2, b2\nb2:\n  ret %2", "types i1 and i32 differ"},
		{"  br b2, b3\nb2:\n  ret %2\nb3:\n  ret %2", "2 successors"},
		{"  br b1", "the entry block has predecessors"},
		{"  ret %2\nb2:\n  ret %2", "b2 is not reachable"},
		{"  %3: i32 = add %4, %2\n  %4: i32 = add %2, %2\n  ret %3", "operand %4 is not defined on all paths here"},
		{"  condbr i1 0, b2, b3\nb2:\n  %3: i32 = add %2, %2\n  br b3\nb3:\n  ret %3", "is not defined on all paths here"},
		{"  condbr i1 0, b2, b3\nb2:\n  %3: i32 = add %2, %2\n  br b3\nb3:\n  %4: i32 = phi [b1: %3, b2: %3]\n  ret %4", "is not defined on all paths here"},
		{"  %3: i32 = add %2, %2\n  br b2\nb2:\n  %4: i32 = add %2, %2\n  %5: i32 = phi [b1: %3]\n  ret %5", "a phi after other instructions"},
		{"  %3: i32 = invoke @malloc(i64 1) to b2 unwind b3\nb2:\n  ret %3\nb3:\n  ret %3", "operand %5 is not defined on all paths here"},
		{"  %3: i32 = invoke @malloc(i64 1) to b2 unwind b2\nb2:\n  ret %3", "operand %5 is not defined on all paths here"},
		{"  %3: ptr = gep %1 {x $1.0}\n  ret %2", "struct 1 of 0"},
		{"  %3: ptr = alloca 8 $7\n  ret %2", "struct 7 of 0"},
		{"  set #1 = %1 ; 1:1 s3\n  ret %2", "scope 3 of 0"},
		{"  %3: i64 = icmp eq %2, %2\n  ret %2", "a comparison is i64"},
		{"  fence sub=2\n  ret %2", "sub is 2"},
		{"  %3: i32 = load sub=9 %1\n  ret %3", "sub is 9"},
		{"  call @malloc(i64 1) sig=0 var=#1\n  fence aux=3\n  ret %2", "aux is 3"},
		{"  switch %2 [i64 1: b2] else b2\nb2:\n  ret %2", "types i32 and i64 differ"},
		{"  store %3, %1\n  %3: void = fence\n  ret %2", "operand %4 has no value"},
		{"  %3: ptr = load null\n  %4: i32 = load %3\n  ret %4", ""},
		{"  %3: i32 = invoke @malloc(i64 1) to b2 unwind b3\nb2:\n  br b3\nb3:\n  %4: i32 = phi [b1: i32 1, b2: %3]\n  ret %4", ""},
	} {
		p, err := Parse("x", []byte(inBody(c.body)))
		if err != nil {
			t.Errorf("%s\n%v", c.body, err)
			continue
		}
		err = Verify(p)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s\n%v", c.body, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "func 2 @f") {
			t.Errorf("%s\ngot  %v\nwant %s", c.body, err, c.want)
		}
	}
}

// Each change breaks a good program in a way that text cannot.
func TestVerifyBroken(t *testing.T) {
	for name, damage := range map[string]func(p *Program, f *Func){
		"pointers of 7 bits":               func(p *Program, f *Func) { p.PtrBits = 7 },
		"is there twice":                   func(p *Program, f *Func) { p.Sigs = append(p.Sigs, p.Sigs[1]) },
		"bad linkage":                      func(p *Program, f *Func) { f.Linkage = 0 },
		"2 parameters, 1 sets":             func(p *Program, f *Func) { f.Params = f.Params[:1] },
		"a declaration with a body":        func(p *Program, f *Func) { f.Flags |= Decl },
		"bad op":                           func(p *Program, f *Func) { f.Values[1].Op = NumOps },
		"operands out of range":            func(p *Program, f *Func) { f.Values[30].Args = 1 << 31 },
		"edges out of range":               func(p *Program, f *Func) { f.Blocks[2].NSucc = 1 << 30 },
		"an edge to b99":                   func(p *Program, f *Func) { f.Edges[0] = 99 },
		"is not parameter 1":               func(p *Program, f *Func) { f.Values[2].Aux = 0 },
		"are the same constant":            func(p *Program, f *Func) { f.Values[3] = f.Values[4] },
		"is inside itself":                 func(p *Program, f *Func) { f.Scopes[1].Parent = 3 },
		"is inlined into itself":           func(p *Program, f *Func) { f.Locs[1].Inlined = 1 },
		"b2 has predecessors":              func(p *Program, f *Func) { f.Edges[f.Blocks[2].Pred] = 3 },
		"b1 starts at":                     func(p *Program, f *Func) { f.Blocks[1].First = 1 },
		"belong to no block":               func(p *Program, f *Func) { f.Values = append(f.Values, Value{Op: OpFence}) },
		"among the constants":              func(p *Program, f *Func) { f.Values[3] = Value{Op: OpFence} },
		"no variable":                      func(p *Program, f *Func) { f.Values[f.Blocks[1].First+1].Var = 0 },
		"a pointer of 32 bits":             func(p *Program, f *Func) { f.Values[1].Type = MakeType(Ptr, 32) },
		"bad type":                         func(p *Program, f *Func) { f.Values[1].Type = 0xff },
		"initialiser at 0 comes after one": func(p *Program, f *Func) { p.Globals[3].Init[1].Off = 0; p.Globals[3].Init[0].Off = 8 },
	} {
		p := parseFile(t, "testdata/all.pir")
		damage(p, &p.Funcs[8])
		err := Verify(p)
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want %s", err, name)
		}
	}
}
