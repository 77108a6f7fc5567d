package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadOnly(t *testing.T) {
	t.Chdir(t.TempDir())
	const head = `{"schema": 1, "tool": {"name": "plumb"}, "functions": [{"file": "a.c", "name": "f"}, {"file": "/x/b.c", "name": "_Zg"}], "findings": [`
	const leak = `{"id": "0123456789abcdef", "rule": "plumb-leak-lost", "confidence": "certain"`
	for _, test := range []struct{ text, want, err string }{
		{head + leak + `, "slice": {"functions": [1, 0, 7, -1], "allocations": [{"file": "a.c", "line": 3}]}}]}`, "alloc DIR/a.c 3\nfunction DIR/a.c f\nfunction /x/b.c _Zg\n", ""},
		{head + `]}`, "", ""},
		{head + leak + `}]}`, "", "does not say what to follow"},
		{"int main() {}", "", "not a report"},
	} {
		for name, text := range map[string]string{"r.json": test.text, "a.c": ""} {
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got, err := readOnly("r.json")
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s: %v", test.text, err)
			}
			continue
		}
		dir, _ := filepath.Abs(".")
		if err != nil || got == nil || string(got) != strings.ReplaceAll(test.want, "DIR", dir) {
			t.Errorf("%s: %q, %v", test.text, got, err)
		}
	}
	if _, err := readOnly("none.json"); err == nil {
		t.Error("a file that is not there was read")
	}
}
