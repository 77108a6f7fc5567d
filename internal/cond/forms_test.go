package cond

import "testing"

// TestForms shows what terms are simplified to, and how they print.
func TestForms(t *testing.T) {
	p := NewPool()
	x, y := p.Fresh(32, "x"), p.Fresh(32, "y")
	c, d := p.Fresh(1, "c"), p.Fresh(1, "d")
	ch := p.Fresh(8, "ch")
	q, ptr := p.Fresh(64, "q"), p.Pointer("ptr")
	a, b := p.Address("a"), p.Address("b")
	k := func(v int) Term { return p.Const(32, uint64(v)) }
	long := func(v int) Term { return p.Const(64, uint64(v)) }
	add := func(a, b Term) Term { return p.Binary(Add, a, b) }
	sub := func(a, b Term) Term { return p.Binary(Sub, a, b) }
	for _, tt := range []struct {
		got  Term
		want string
	}{
		{add(add(x, k(3)), k(4)), "x + 7"},
		{sub(x, k(3)), "x - 3"},
		{add(k(1), sub(x, k(1))), "x"},
		{sub(add(x, k(8)), add(y, k(4))), "(x - y) + 4"},
		{sub(add(x, y), y), "x"},
		{add(sub(x, y), y), "x"},
		{p.Binary(Mul, add(x, k(1)), k(8)), "(x * 8) + 8"},
		{p.Binary(Shl, x, k(3)), "x * 8"},
		{p.Binary(Xor, x, x), "0"},
		{p.Binary(And, p.Binary(And, x, k(12)), k(6)), "x & 4"},
		{p.Binary(And, x, k(255)), "zext32(x[0:8])"},
		{p.Binary(URem, x, k(256)), "zext32(x[0:8])"},
		{p.Binary(LShr, x, k(24)), "zext32(x[24:32])"},
		{p.Binary(AShr, x, k(31)), "sext32(x[31])"},
		{p.Trunc(8, p.SExt(32, ch)), "ch"},
		{p.Trunc(16, p.SExt(32, ch)), "sext16(ch)"},

		{p.Compare(SGT, x, k(3)), "x s>= 4"},
		{p.Compare(SLE, x, k(3)), "x s< 4"},
		{p.Compare(SLT, k(3), x), "x s>= 4"},
		{p.Compare(UGT, x, k(0)), "x != 0"},
		{p.Compare(ULT, x, k(0)), "false"},
		{p.Compare(UGE, x, y), "x u>= y"},
		{p.Compare(ULE, x, y), "y u>= x"},
		{p.Compare(NE, add(x, k(1)), k(0)), "x != -1"},
		{p.Compare(EQ, sub(x, y), k(0)), "x == y"},
		{p.Compare(EQ, p.Binary(Mul, x, k(3)), k(6)), "x == 2"},
		{p.Compare(EQ, p.Binary(Mul, x, k(4)), k(6)), "false"},
		{p.Compare(NE, p.Binary(And, x, k(2)), k(0)), "x[1]"},
		{p.Compare(EQ, p.Binary(And, x, k(2)), k(2)), "x[1]"},
		{p.Compare(EQ, p.Binary(And, x, k(2)), k(1)), "false"},
		{p.Compare(EQ, p.ZExt(32, ch), k(300)), "false"},
		{p.Compare(SLT, p.ZExt(32, ch), k(0)), "false"},
		{p.Compare(SLT, p.ZExt(32, ch), k(10)), "ch u< 10"},
		{p.Compare(EQ, p.SExt(32, ch), k(-1)), "ch == -1"},
		{p.Compare(NE, p.ZExt(32, c), k(0)), "c"},
		{p.Compare(EQ, p.ZExt(32, c), k(0)), "!c"},
		{p.Compare(NE, p.ZExt(32, p.Compare(NE, p.ZExt(32, c), k(0))), k(0)), "c"},
		{p.Compare(EQ, p.Ite(c, k(-1), k(7)), k(7)), "!c"},
		{p.Compare(SLT, p.Ite(c, k(-1), x), k(0)), "c || (x s< 0)"},
		{p.Compare(EQ, p.Ite(c, k(-1), k(7)), k(8)), "false"},

		{p.Not(p.Not(c)), "c"},
		{p.Either(c, p.Not(c)), "true"},
		{p.Both(c, p.Either(p.Not(c), d)), "c && d"},
		{p.Not(p.Either(c, d)), "!c && !d"},
		{p.Ite(c, p.Bool(true), d), "c || d"},
		{p.Ite(p.Not(c), x, y), "c ? y : x"},

		{p.Compare(EQ, a, long(0)), "false"},
		{p.Compare(EQ, add(a, long(-8)), long(0)), "false"},
		{p.Compare(EQ, a, long(-1)), "false"},
		{p.Compare(EQ, add(a, long(8)), add(b, long(16))), "false"},
		{p.Compare(EQ, add(a, long(8)), add(a, long(16))), "false"},
		{p.Compare(EQ, add(a, q), add(a, long(16))), "q == 16"},
		{p.Compare(EQ, a, q), "q == &a"},
		{p.Compare(EQ, ptr, long(-2)), "false"},
		{p.Compare(SLT, ptr, long(0)), "ptr == -1"},
		{p.Compare(UGE, ptr, long(-4095)), "ptr == -1"},
		{p.Compare(EQ, add(q, a), add(q, b)), "false"},
		{p.Compare(EQ, p.Apply(64, "strlen", q), p.Apply(64, "strlen", q)), "true"},
		{p.Compare(ULT, p.Apply(64, "strlen", q), long(8)), "strlen(q) u< 8"},
	} {
		if got := p.String(tt.got); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

// TestContradictions shows which paths are refuted, by what, and which are not though
// they look alike.
func TestContradictions(t *testing.T) {
	p := NewPool()
	x, y, z := p.Fresh(32, "x"), p.Fresh(32, "y"), p.Fresh(32, "z")
	ch := p.Fresh(8, "ch")
	q, r, ptr := p.Fresh(64, "q"), p.Fresh(64, "r"), p.Pointer("ptr")
	a, b := p.Address("a"), p.Address("b")
	c, d := p.Fresh(1, "c"), p.Fresh(1, "d")
	k := func(v int) Term { return p.Const(32, uint64(v)) }
	null := p.Const(64, 0)
	add := func(a, b Term) Term { return p.Binary(Add, a, b) }
	is := p.Compare
	for _, tt := range []struct {
		name string
		path []Term
		want Stage
	}{
		{"an atom and its negation", []Term{c, p.Not(c)}, Linear},
		{"in a conjunction", []Term{p.Both(c, d), p.Not(d)}, Linear},
		{"the same comparison the other way", []Term{is(SLT, x, y), is(SLE, y, x)}, Linear},
		{"two constants", []Term{is(EQ, x, k(1)), is(EQ, x, k(2))}, Interval},
		{"an empty interval", []Term{is(SGT, x, k(5)), is(SLT, x, k(3))}, Interval},
		{"signed and unsigned", []Term{is(SLT, x, k(0)), is(ULT, x, k(10))}, Interval},
		{"all values excluded", []Term{is(ULT, x, k(3)), is(NE, x, k(0)), is(NE, x, k(1)), is(NE, x, k(2))}, Interval},
		{"all but one excluded", []Term{is(ULT, x, k(3)), is(NE, x, k(0)), is(NE, x, k(2))}, 0},
		{"equal to what is not null", []Term{is(EQ, q, a), is(EQ, q, null)}, Interval},
		{"equal to two objects", []Term{is(EQ, q, a), is(EQ, q, b)}, Interval},
		{"equal by way of another", []Term{is(EQ, q, r), is(EQ, r, a), is(EQ, q, b)}, Interval},
		{"a circle of orders", []Term{is(SLT, x, y), is(SLT, y, z), is(SLT, z, x)}, Interval},
		{"a circle of equals", []Term{is(SLE, x, y), is(SLE, y, z), is(SLE, z, x), is(NE, x, z)}, Interval},
		{"a circle that can be", []Term{is(SLE, x, y), is(SLE, y, z), is(SLE, z, x)}, 0},
		{"x+1 > y where x < y", []Term{is(SLT, x, y), is(SLT, x, k(100)), is(SGT, x, k(-100)), is(SGT, add(x, k(1)), y)}, Interval},
		{"p+3 <= p+2 for a pointer", []Term{is(ULE, add(ptr, p.Const(64, 3)), add(ptr, p.Const(64, 2)))}, Interval},
		{"p+3 <= p+2 for a number", []Term{is(ULE, add(q, p.Const(64, 3)), add(q, p.Const(64, 2)))}, 0},
		{"x+1 may wrap", []Term{is(SLT, add(x, k(1)), x)}, 0},
		{"x+1 does not wrap below 10", []Term{is(SLT, add(x, k(1)), x), is(SLT, x, k(10)), is(SGE, x, k(-10))}, Interval},
		{"a bit that is set and clear", []Term{is(NE, p.Binary(And, x, k(6)), k(0)), is(EQ, p.Binary(And, x, k(2)), k(0)),
			is(EQ, p.Binary(And, x, k(4)), k(0))}, Interval},
		{"flags that exclude a value", []Term{is(EQ, p.Binary(And, x, k(2)), k(2)), is(EQ, x, k(5))}, Interval},
		{"aligned", []Term{is(EQ, p.Binary(And, x, k(7)), k(0)), is(UGT, x, k(8)), is(ULT, x, k(16))}, Interval},
		{"sign-extended", []Term{is(SLT, ch, p.Const(8, 0)), is(SGE, p.SExt(32, ch), k(0))}, Linear},
		{"product", []Term{is(ULT, x, k(10)), is(UGT, p.Binary(Mul, x, k(8)), k(72))}, Interval},
		{"product that wraps", []Term{is(UGT, x, k(10)), is(ULT, p.Binary(Mul, x, k(8)), k(72))}, 0},
		{"the last of a disjunction", []Term{p.Either(c, is(EQ, x, k(1))), p.Not(c), is(SGT, x, k(1))}, Interval},
		{"a choice", []Term{is(EQ, p.Ite(c, x, k(3)), k(4)), p.Not(c)}, Linear},
		{"a choice of two", []Term{is(EQ, p.Ite(c, x, y), k(4)), is(SLT, y, k(0)), p.Not(c)}, Interval},
	} {
		var f Facts
		got := Stage(0)
		for _, t := range tt.path {
			got = f.Assume(p, t)
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestProbe refutes what takes a case distinction.
func TestProbe(t *testing.T) {
	p := NewPool()
	x, y := p.Fresh(32, "x"), p.Fresh(32, "y")
	c := p.Fresh(1, "c")
	k := func(v int) Term { return p.Const(32, uint64(v)) }
	f := func(t Term) Term { return p.Apply(32, "f", t) }
	size, off, len64, more := p.Fresh(64, "size"), p.Fresh(64, "off"), p.ZExt(64, p.Fresh(32, "len")), p.ZExt(64, p.Fresh(32, "more"))
	add := func(t Term, n int) Term { return p.Binary(Add, t, p.Const(64, uint64(n))) }
	rest := p.Binary(Sub, p.Binary(Sub, size, off), len64)
	for name, path := range map[string][]Term{
		// What a reader of packets checks, and what it then cannot find.
		"sums that do not wrap": {
			p.Compare(ULT, size, p.Const(64, 1<<27)), p.Compare(UGE, size, off),
			p.Compare(UGE, p.Binary(Sub, size, off), add(len64, 4)),
			p.Compare(UGE, rest, add(more, 8)),
			p.Compare(ULT, size, add(p.Binary(Add, p.Binary(Add, off, len64), more), 6))},
		"a product": {
			p.Compare(ULT, len64, p.Const(64, 1<<30)),
			p.Compare(UGE, p.Binary(Mul, len64, p.Const(64, 48)), add(p.Binary(Mul, more, p.Const(64, 48)), 1)),
			p.Compare(UGE, more, len64)},
		"both sides of a disjunction": {
			p.Either(p.Compare(EQ, x, k(1)), p.Compare(EQ, x, k(2))), p.Compare(SGT, x, k(2))},
		"both sides of a choice": {
			p.Compare(SLT, p.Ite(c, x, y), k(0)), p.Compare(SGT, x, k(0)), p.Compare(SGT, y, k(0))},
		"equal arguments": {
			p.Compare(EQ, x, y), p.Compare(EQ, f(x), k(1)), p.Compare(EQ, f(y), k(2))},
	} {
		var facts Facts
		for _, t := range path {
			facts.Assume(p, t)
		}
		if got := facts.Probe(p); got != Interval {
			t.Errorf("%s: %s", name, got)
		}
		var fewer Facts
		for _, t := range path[:len(path)-1] {
			fewer.Assume(p, t)
		}
		if got := fewer.Probe(p); got != 0 {
			t.Errorf("%s without the last condition: %s", name, got)
		}
	}
}
