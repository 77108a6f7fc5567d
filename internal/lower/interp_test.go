package lower_test

// This file runs lowered programs. An interpreter of the ir is the reference
// for SSA construction, layouts and constants: what it computes must be what
// the compiled program prints.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/plumbtest"
)

// A machine runs functions on one flat memory. Address 0 is null; functions
// have addresses past the memory.
type machine struct {
	p       *ir.Program
	mem     []byte
	globals []uint64
	steps   int
}

const funcBase = 1 << 40

func newMachine(p *ir.Program) *machine {
	m := &machine{p: p, mem: make([]byte, 16), globals: make([]uint64, len(p.Globals)), steps: 2_000_000}
	for i := range p.Globals {
		m.globals[i] = m.alloc(p.Globals[i].Size)
	}
	for i := range p.Globals {
		for _, c := range p.Globals[i].Init {
			at := m.globals[i] + c.Off
			switch c.Kind {
			case ir.CellInt, ir.CellFloat:
				m.store(at, uint64(c.Int), c.Type.Bytes())
			case ir.CellBytes:
				copy(m.mem[at:], c.Bytes)
			case ir.CellFunc:
				m.store(at, funcBase+uint64(c.Func), 8)
			case ir.CellGlobal:
				m.store(at, m.globals[c.Global]+uint64(c.Int), 8)
			}
		}
	}
	return m
}

func (m *machine) alloc(n uint64) uint64 {
	at := (uint64(len(m.mem)) + 15) &^ 15
	m.mem = append(m.mem, make([]byte, at+n-uint64(len(m.mem)))...)
	return at
}

func (m *machine) store(at, v, n uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	copy(m.mem[at:at+n], b[:])
}

func (m *machine) load(at, n uint64) uint64 {
	var b [8]byte
	copy(b[:], m.mem[at:at+n])
	return binary.LittleEndian.Uint64(b[:])
}

// cut keeps the bits of t.
func cut(v uint64, t ir.Type) uint64 {
	if n := t.Size(); t.Kind() == ir.Int && n < 64 {
		return v & (1<<n - 1)
	}
	return v
}

func signed(v uint64, t ir.Type) int64 {
	if n := t.Size(); t.Kind() == ir.Int && n < 64 {
		return int64(v<<(64-n)) >> (64 - n)
	}
	return int64(v)
}

// call runs function id and returns its result.
func (m *machine) call(id ir.FuncID, args []uint64) uint64 {
	f := &m.p.Funcs[id]
	vals := make([]uint64, len(f.Values))
	for i := range f.Values {
		switch v := &f.Values[i]; v.Op {
		case ir.OpParam:
			vals[i] = args[v.Aux]
		case ir.OpConstInt:
			vals[i] = cut(uint64(f.Ints[v.Aux]), v.Type)
		case ir.OpFuncAddr:
			vals[i] = funcBase + uint64(v.Aux)
		case ir.OpGlobalAddr:
			vals[i] = m.globals[v.Aux]
		}
	}
	prev, blk := ir.BlockID(0), ir.BlockID(1)
	for {
		next, ret, done := m.block(f, vals, prev, blk)
		if done {
			return ret
		}
		prev, blk = blk, next
	}
}

func (m *machine) block(f *ir.Func, vals []uint64, prev, blk ir.BlockID) (next ir.BlockID, ret uint64, done bool) {
	var phis []uint64 // read all before any is written
	b := &f.Blocks[blk]
	for v := b.First; v < b.End && f.Values[v].Op == ir.OpPhi; v++ {
		for i, p := range f.PredsOf(blk) {
			if p == prev {
				phis = append(phis, vals[f.ArgsOf(v)[i]])
				break
			}
		}
	}
	for i, x := range phis {
		vals[b.First+ir.ValueID(i)] = x
	}
	for v := b.First + ir.ValueID(len(phis)); v < b.End; v++ {
		if m.steps--; m.steps < 0 {
			panic("interpreter: too many steps in " + f.Name)
		}
		x := &f.Values[v]
		a := f.ArgsOf(v)
		succ := f.SuccsOf(blk)
		switch x.Op {
		case ir.OpRet:
			if len(a) > 0 {
				ret = vals[a[0]]
			}
			return 0, ret, true
		case ir.OpBr:
			return succ[0], 0, false
		case ir.OpCondBr:
			if vals[a[0]] != 0 {
				return succ[0], 0, false
			}
			return succ[1], 0, false
		case ir.OpSwitch:
			for i, c := range a[1:] {
				if vals[c] == vals[a[0]] {
					return succ[i+1], 0, false
				}
			}
			return succ[0], 0, false
		}
		vals[v] = cut(m.inst(f, vals, v, x, a), x.Type)
	}
	panic("interpreter: block without a terminator in " + f.Name)
}

func (m *machine) inst(f *ir.Func, vals []uint64, v ir.ValueID, x *ir.Value, a []ir.ValueID) uint64 {
	arg := func(i int) uint64 { return vals[a[i]] }
	typ := func(i int) ir.Type { return f.Values[a[i]].Type }
	switch x.Op {
	case ir.OpSet, ir.OpLifetimeStart, ir.OpLifetimeEnd:
		return 0
	case ir.OpAlloca:
		n := uint64(f.Ints[x.Aux])
		if len(a) > 0 {
			n *= arg(0)
		}
		return m.alloc(n)
	case ir.OpLoad:
		return m.load(arg(0), x.Type.Bytes())
	case ir.OpStore:
		m.store(arg(1), arg(0), typ(0).Bytes())
		return 0
	case ir.OpGep:
		g := f.Geps[x.Aux]
		at := arg(0) + uint64(g.Off)
		for i, s := range f.Strides[g.Stride : g.Stride+g.NStride] {
			at += uint64(signed(arg(i+1), typ(i+1)) * s)
		}
		return at
	case ir.OpMemcpy:
		copy(m.mem[arg(0):arg(0)+arg(2)], bytes.Clone(m.mem[arg(1):arg(1)+arg(2)]))
		return 0
	case ir.OpMemset:
		for i := range arg(2) {
			m.mem[arg(0)+i] = byte(arg(1))
		}
		return 0
	case ir.OpCall:
		var args []uint64
		for i := range a[1:] {
			args = append(args, arg(i+1))
		}
		id := ir.FuncID(arg(0) - funcBase)
		if m.p.Funcs[id].IsDecl() {
			return intrinsic(m.p.Funcs[id].Name, args, x.Type)
		}
		return m.call(id, args)
	case ir.OpSelect:
		if arg(0) != 0 {
			return arg(1)
		}
		return arg(2)
	case ir.OpTrunc, ir.OpZExt, ir.OpPtrToInt, ir.OpIntToPtr, ir.OpFreeze, ir.OpBitcast:
		return arg(0)
	case ir.OpSExt:
		return uint64(signed(arg(0), typ(0)))
	case ir.OpICmp:
		if compare(ir.Pred(x.Sub), arg(0), arg(1), typ(0)) {
			return 1
		}
		return 0
	}
	return arith(x.Op, arg(0), arg(1), x.Type)
}

// intrinsic does what the optimiser writes as calls.
func intrinsic(name string, a []uint64, t ir.Type) uint64 {
	name = strings.TrimPrefix(name, "llvm.")
	kind, _, _ := strings.Cut(name, ".")
	pick := func(first bool) uint64 {
		if first {
			return a[0]
		}
		return a[1]
	}
	switch kind {
	case "smax":
		return pick(signed(a[0], t) > signed(a[1], t))
	case "smin":
		return pick(signed(a[0], t) < signed(a[1], t))
	case "umax":
		return pick(a[0] > a[1])
	case "umin":
		return pick(a[0] < a[1])
	case "abs":
		if s := signed(a[0], t); s < 0 {
			return uint64(-s)
		}
		return a[0]
	case "fshl":
		n, w := a[2]%t.Size(), t.Size()
		if n == 0 {
			return a[0]
		}
		return a[0]<<n | a[1]>>(w-n)
	case "stacksave", "stackrestore":
		return 0
	}
	panic("interpreter: cannot call " + name)
}

func compare(p ir.Pred, a, b uint64, t ir.Type) bool {
	sa, sb := signed(a, t), signed(b, t)
	switch p {
	case ir.EQ:
		return a == b
	case ir.NE:
		return a != b
	case ir.UGT:
		return a > b
	case ir.UGE:
		return a >= b
	case ir.ULT:
		return a < b
	case ir.ULE:
		return a <= b
	case ir.SGT:
		return sa > sb
	case ir.SGE:
		return sa >= sb
	case ir.SLT:
		return sa < sb
	}
	return sa <= sb
}

func arith(op ir.Op, a, b uint64, t ir.Type) uint64 {
	sa, sb := signed(a, t), signed(b, t)
	switch op {
	case ir.OpAdd:
		return a + b
	case ir.OpSub:
		return a - b
	case ir.OpMul:
		return a * b
	case ir.OpUDiv:
		return a / b
	case ir.OpSDiv:
		return uint64(sa / sb)
	case ir.OpURem:
		return a % b
	case ir.OpSRem:
		return uint64(sa % sb)
	case ir.OpShl:
		return a << b
	case ir.OpLShr:
		return a >> b
	case ir.OpAShr:
		return uint64(sa >> b)
	case ir.OpAnd:
		return a & b
	case ir.OpOr:
		return a | b
	case ir.OpXor:
		return a ^ b
	}
	panic("interpreter: cannot do " + op.String())
}

// TestRun compares the interpreter with the machine, function by function: every
// testN(int, int) of testdata/run.c on a range of arguments.
func TestRun(t *testing.T) {
	const src = "testdata/run.c"
	text, err := os.ReadFile(src)
	if err != nil {
		t.Fatal(err)
	}
	n := strings.Count(string(text), "\nint test")
	inputs := []int32{-7, -1, 0, 1, 2, 3, 5, 10, 100}
	for _, v := range []int{14, 19, 22} {
		for _, opt := range []string{"-O0", "-O1"} {
			t.Run(fmt.Sprintf("clang-%d%s", v, opt), func(t *testing.T) {
				t.Parallel()
				want := runNative(t, v, src, n, inputs)
				p := mustLower(t, 2, unit(src, plumbtest.CompileWith(t, v, src, opt, "-fno-vectorize", "-fno-slp-vectorize")))
				var got strings.Builder
				for k := range n {
					for id := range p.Funcs {
						if p.Funcs[id].Name != fmt.Sprintf("test%d", k) {
							continue
						}
						for _, a := range inputs {
							for _, b := range inputs {
								r := newMachine(p).call(ir.FuncID(id), []uint64{uint64(uint32(a)), uint64(uint32(b))})
								fmt.Fprintf(&got, "test%d(%d, %d) = %d\n", k, a, b, int32(r))
							}
						}
					}
				}
				if got.String() != want {
					t.Errorf("interpreted and compiled runs differ:\n%s", firstDiff(want, got.String()))
				}
			})
		}
	}
}

func firstDiff(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range w {
		if i >= len(g) || w[i] != g[i] {
			return fmt.Sprintf("line %d: compiled %q, interpreted %q", i+1, w[i], append(g, "", "")[i])
		}
	}
	return "interpreted run says more"
}

// runNative compiles src with a main that prints every result.
func runNative(t *testing.T, version int, src string, n int, inputs []int32) string {
	t.Helper()
	clang := fmt.Sprintf("clang-%d", version)
	if _, err := exec.LookPath(clang); err != nil {
		t.Skipf("%s is not installed: scripts/setup.sh test", clang)
	}
	dir := t.TempDir()
	var b strings.Builder
	b.WriteString("#include <stdio.h>\nint main(void) {\n")
	for k := range n {
		fmt.Fprintf(&b, "int test%d(int, int);\n", k)
		for _, x := range inputs {
			for _, y := range inputs {
				fmt.Fprintf(&b, "printf(\"test%d(%d, %d) = %%d\\n\", test%d(%d, %d));\n", k, x, y, k, x, y)
			}
		}
	}
	b.WriteString("}\n")
	mainC := filepath.Join(dir, "main.c")
	if err := os.WriteFile(mainC, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(dir, "run")
	if msg, err := exec.Command(clang, "-O0", "-w", "-o", exe, src, mainC).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, msg)
	}
	out, err := exec.Command(exe).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
