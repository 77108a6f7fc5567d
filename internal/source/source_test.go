package source

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPosition(t *testing.T) {
	for _, test := range []struct {
		p    Position
		want string
	}{
		{Position{"a.c", 4, 2}, "a.c:4:2"},
		{Position{"a.c", 4, 0}, "a.c:4"},
		{Position{"a.c", 0, 0}, "a.c"},
		{Position{}, "-"},
	} {
		if got := test.p.String(); got != test.want {
			t.Errorf("%#v prints %q, want %q", test.p, got, test.want)
		}
	}
	if (Position{"a.c", 1, 2}).Compare(Position{"a.c", 1, 3}) >= 0 {
		t.Error("columns do not order positions")
	}
}

func TestText(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(file, []byte("one\r\ntwo\n\nfour"), 0o600); err != nil {
		t.Fatal(err)
	}
	var text Text
	for n, want := range []string{1: "one", 2: "two", 3: "", 4: "four"} {
		if n == 0 {
			continue
		}
		if got, ok := text.Line(file, n); !ok || got != want {
			t.Errorf("line %d is %q, %v, want %q", n, got, ok, want)
		}
	}
	for _, n := range []int{0, 5} {
		if _, ok := text.Line(file, n); ok {
			t.Errorf("there is a line %d", n)
		}
	}
	if _, ok := text.Line(filepath.Dir(file), 1); ok || text.Hash(filepath.Dir(file)) != "" {
		t.Error("a directory has lines")
	}
	// sha256sum says so of the same bytes.
	if got := text.Hash(file); got != "3848272e9f6d4d56082f5a1e96415219926bf3df2aa4fea07860704f22f6f240" {
		t.Errorf("hash %s", got)
	}
}
