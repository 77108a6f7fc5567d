package modref

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/plumb-project/plumb/internal/callgraph"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/model"
)

var update = flag.Bool("update", false, "rewrite the expected table")

const archive = "testdata/writes.txtar"

// The archive has a program, in.pir, made from in.c, and what its functions write.
func read(t testing.TB) (*Table, *txtar.Archive) {
	t.Helper()
	ar, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	p, err := ir.Parse(archive, ar.Files[1].Data)
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Verify(p); err != nil {
		t.Fatal(err)
	}
	return Build(p, callgraph.Build(p, model.Builtin()), model.Builtin()), ar
}

func TestPrint(t *testing.T) {
	table, ar := read(t)
	var b strings.Builder
	if err := table.Print(&b, nil); err != nil {
		t.Fatal(err)
	}
	if *update {
		ar.Files[2].Data = []byte(b.String())
		if err := os.WriteFile(archive, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(string(ar.Files[2].Data), b.String()); d != "" {
		t.Error(d)
	}
}

func (t *Table) fn(name string) ir.FuncID {
	for i := range t.p.Funcs {
		if t.p.Funcs[i].Name == name {
			return ir.FuncID(i)
		}
	}
	panic("no function " + name)
}

// accessed returns the place of the nth access of an op in a function.
func (t *Table) accessed(name string, op ir.Op, n int) Place {
	f := &t.p.Funcs[t.fn(name)]
	for v := range f.Values {
		if f.Values[v].Op != op {
			continue
		}
		if n--; n < 0 {
			args := f.ArgsOf(ir.ValueID(v))
			if op == ir.OpLoad {
				return PlaceOf(t.p, f, args[0], f.Values[v].Type)
			}
			return PlaceOf(t.p, f, args[1], f.Values[args[0]].Type)
		}
	}
	panic("no such access in " + name)
}

func TestMayWrite(t *testing.T) {
	table, _ := read(t)
	var (
		n      = table.accessed("get", ir.OpLoad, 0)
		name   = table.accessed("even", ir.OpStore, 0)
		inA    = table.accessed("set_a", ir.OpStore, 0)
		uB     = table.accessed("clear_u", ir.OpStore, 0)
		count  = table.accessed("inc", ir.OpLoad, 0)
		some   = table.accessed("setint", ir.OpStore, 0)
		oneN   = table.accessed("one_n", ir.OpStore, 0)
		shareN = table.accessed("shared_n", ir.OpStore, 0)
		slotI  = table.accessed("slot", ir.OpStore, 0)
		flagsB = table.accessed("flag_b", ir.OpStore, 0) // its address is in a table
		keyID  = table.accessed("set_id", ir.OpStore, 0)
		slot2  = table.accessed("slot2", ir.OpStore, 0)
	)
	taken, buf := n, n // other fields of the same struct
	taken.Field, buf.Field = 3, 4
	buf.Type = ir.MakeType(ir.Int, 8)
	reach := count
	reach.Global = 0
	for i := range table.p.Globals {
		if table.p.Globals[i].Name == "reach" {
			reach.Global = ir.GlobalID(i)
		}
	}
	for _, c := range []struct {
		name string
		pl   Place
		want string // the functions that write there
	}{
		{"cfg.n", n, "setn clear both shared_n odd even"},
		{"cfg.name", name, "clear odd even"},
		{"cfg.in.a", inA, "set_in set_a clear clear_u through"},
		{"cfg.u.in.b", uB, "set_in clear clear_u flag_b"},
		{"count", count, "inc both callback"},
		{"*p", some, "clear setint take shared_n flag_b set_uses set_mine wipe shift"}, // &shared may be &shared.n
		{"cfg.taken", taken, "clear setint take wipe shift"},
		{"cfg.buf", buf, "clear input"},
		{"reach", reach, "setint take wipe shift"},
		{"one.n", oneN, "one_n"},
		{"shared.n", shareN, "setint wipe shift setn clear both shared_n odd even"},
		{"flags.b", flagsB, "set_in clear clear_u setint wipe shift flag_b"},
		{"key.id", keyID, "wipe_key set_id set_mine set_theirs shift"}, // not key_of_own
		{"slots[i]", slotI, "slot slot2"},
		{"slots[2]", slot2, "slot slot2"},
	} {
		var got []string
		for i := range table.p.Funcs {
			if f := &table.p.Funcs[i]; !f.IsDecl() && len(f.Blocks) > 0 && table.MayWrite(ir.FuncID(i), c.pl) {
				got = append(got, f.Name)
			}
		}
		want := map[string]bool{}
		for _, w := range strings.Fields(c.want) {
			want[w] = true
		}
		for _, g := range got {
			if !want[g] {
				t.Errorf("%s: %s does not write it", c.name, g)
			}
			delete(want, g)
		}
		for w := range want {
			t.Errorf("%s: %s writes it", c.name, w)
		}
	}
}

// A call writes what its target writes, or, without a body, what its arguments point to.
func TestCallMayWrite(t *testing.T) {
	table, _ := read(t)
	n := table.accessed("get", ir.OpLoad, 0)
	buf := n
	buf.Field, buf.Type = 4, ir.MakeType(ir.Int, 8)
	for _, c := range []struct {
		caller, callee string
		pl             Place
		want           bool
	}{
		{"both", "setn", n, true},
		{"both", "inc", n, false},
		{"len", "strlen", buf, false},
		{"input", "read", buf, true},
		{"input", "read", n, false},
		{"through", "", table.accessed("set_a", ir.OpStore, 0), true},
		{"through", "", n, false},
		{"callback", "each", table.accessed("inc", ir.OpLoad, 0), true},
		{"make", "malloc", n, false},
		{"own", "read", n, true}, // of its own variable
	} {
		caller := table.fn(c.caller)
		callee := ir.FuncID(0)
		if c.callee != "" {
			callee = table.fn(c.callee)
		}
		for _, x := range table.calls.CallsOf(caller) {
			if x.Callee != callee {
				continue
			}
			if got := table.CallMayWrite(caller, x.Site, c.pl); got != c.want {
				t.Errorf("%s calls %s: %t for %+v", c.caller, c.callee, got, c.pl)
			}
			if table.Unknown(caller, x.Site) {
				t.Errorf("%s: its calls are known", c.caller)
			}
		}
	}
}

// BenchmarkBuild makes the table of the program in the archive.
func BenchmarkBuild(b *testing.B) {
	table, _ := read(b)
	b.ReportAllocs()
	for b.Loop() {
		Build(table.p, table.calls, table.models)
	}
}

// A loose table has all that is written through parameters, whatever is passed.
func TestLoose(t *testing.T) {
	exact, _ := read(t)
	table := BuildLoose(exact.p, exact.calls, exact.models)
	id := table.accessed("set_id", ir.OpStore, 0)
	for name, want := range map[string][2]bool{ // exact, loose
		"set_id":     {true, true},
		"wipe_key":   {true, true},
		"key_of_own": {false, true},
		"get":        {false, false},
	} {
		if got := [2]bool{exact.MayWrite(exact.fn(name), id), table.MayWrite(table.fn(name), id)}; got != want {
			t.Errorf("%s writes key.id: %t, want %t", name, got, want)
		}
	}
}
