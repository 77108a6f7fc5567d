package ir

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
)

func parseFile(t testing.TB, name string) *Program {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Parse(name, src)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func text(t testing.TB, p *Program) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Print(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRoundTrip(t *testing.T) {
	p := parseFile(t, "testdata/all.pir")
	if err := Verify(p); err != nil {
		t.Fatal(err)
	}
	first := text(t, p)
	q, err := Parse("again", first)
	if err != nil {
		t.Fatalf("%v\n%s", err, first)
	}
	if err := Diff(p, q); err != nil {
		t.Errorf("%v\n%s", err, first)
	}
	if second := text(t, q); !bytes.Equal(first, second) {
		t.Errorf("printed:\n%s\nprinted again:\n%s", first, second)
	}
}

// The fixture is written as Print writes it, but for the values' numbers and the space before locations.
func TestPrint(t *testing.T) {
	src, err := os.ReadFile("testdata/all.pir")
	if err != nil {
		t.Fatal(err)
	}
	p := parseFile(t, "testdata/all.pir")
	got, want := strings.Split(string(text(t, p)), "\n"), strings.Split(string(src), "\n")
	for i := range want {
		if i >= len(got) || squeeze(got[i]) != squeeze(want[i]) {
			t.Fatalf("line %d: got\n%s\nwant\n%s", i+1, got[i], want[i])
		}
	}
}

// squeeze drops runs of blanks and the numbers of values.
func squeeze(s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		if j := strings.IndexByte(w, '%'); j >= 0 {
			words[i] = w[:j+1] + strings.TrimLeft(w[j+1:], "0123456789")
		}
	}
	return strings.Join(words, " ")
}

func TestDiffSeesEverything(t *testing.T) {
	base := text(t, parseFile(t, "testdata/all.pir"))
	for _, line := range strings.Split(string(base), "\n") {
		// Change the last digit of the line, which is always part of something that counts.
		i := strings.LastIndexAny(line, "0123456789")
		if i < 0 || strings.HasSuffix(line, ":") || strings.Contains(line[:i+1], "(%") && !strings.Contains(line, "=") {
			continue // a label or the number of a parameter, which are names only
		}
		changed := line[:i] + string('0'+(line[i]-'0'+1)%10) + line[i+1:]
		q, err := Parse("changed", bytes.Replace(base, []byte(line), []byte(changed), 1))
		if err != nil {
			continue // the digit was part of an id
		}
		p, _ := Parse("base", base)
		if Diff(p, q) == nil {
			t.Errorf("no difference between\n%s\n%s", line, changed)
		}
	}
}

func TestFuncString(t *testing.T) {
	p := parseFile(t, "testdata/all.pir")
	want := "func @x#f7() void internal unit=2 sig=\"void()\" {\nb1:\n  ret\n}\n"
	if got := p.FuncString(7); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	pr := NewPrinter(p)
	pr.Note = func(f FuncID, v ValueID) string { return fmt.Sprint("fact ", v) }
	var b bytes.Buffer
	if err := pr.Func(&b, 7); err != nil || !strings.Contains(b.String(), "  ret  // fact 1\n") {
		t.Errorf("%v: %s", err, b.String())
	}
}

func TestBlockOf(t *testing.T) {
	p := parseFile(t, "testdata/all.pir")
	f := &p.Funcs[8]
	for b := 1; b < len(f.Blocks); b++ {
		for v := f.Blocks[b].First; v < f.Blocks[b].End; v++ {
			if got := f.BlockOf(v); got != BlockID(b) {
				t.Errorf("BlockOf(%d) = %d, want %d", v, got, b)
			}
		}
	}
	if got := f.BlockOf(1); got != 0 {
		t.Errorf("a parameter is in block %d", got)
	}
}

func BenchmarkPrint(b *testing.B) {
	p := parseFile(b, "testdata/all.pir")
	for b.Loop() {
		text(b, p)
	}
}

func BenchmarkParse(b *testing.B) {
	src, err := os.ReadFile("testdata/all.pir")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if _, err := Parse("all.pir", src); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkVerify(b *testing.B) {
	p := parseFile(b, "testdata/all.pir")
	for b.Loop() {
		if err := Verify(p); err != nil {
			b.Fatal(err)
		}
	}
}
