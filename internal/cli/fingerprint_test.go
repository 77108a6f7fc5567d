package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// A finding keeps its id in JSON and SARIF while code around it changes.
func TestFingerprints(t *testing.T) {
	if findClang() == "" {
		t.Skip("needs clang")
	}
	t.Chdir(t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	const src = `#include <stdlib.h>
static void *get(size_t n)
{
	void *p = malloc(n);
	if (!p)
		abort();
	return p;
}
int early(int n)
{
	int unrelated = n + 1;
	char *buf = get(16);
	if (unrelated > 4)
		return -1;
	free(buf);
	return n;
}
`
	first := fingerprints(t, src)
	if len(first) != 1 {
		t.Fatalf("ids %v", first)
	}
	for name, edited := range map[string]string{
		"lines above":                strings.Replace(src, "static void", "#include <stdio.h>\n\nint another(int n) { return n; }\n\nstatic void", 1),
		"another variable's name":    strings.ReplaceAll(src, "unrelated", "other"),
		"indentation":                strings.ReplaceAll(src, "\t", "        "),
		"the allocator's inside":     strings.Replace(src, "\tif (!p)\n", "\tif (p == NULL)\n", 1),
		"another leak above":         strings.Replace(src, "int early", "int before(int n)\n{\n\tchar *b = get(8);\n\treturn n;\n}\nint early", 1),
		"a branch in between":        strings.Replace(src, "\tif (unrel", "\tif (n == 9)\n\t\tbuf[0] = 1;\n\tif (unrel", 1),
		"code behind it in the file": src + "int last(void) { return 0; }\n",
	} {
		if got := fingerprints(t, edited); edited == src || !slices.Contains(got, first[0]) {
			t.Errorf("%s: ids %v, was %v", name, got, first)
		}
	}
	if got := fingerprints(t, strings.Replace(src, "buf = get(16)", "buf = get(32)", 1)); slices.Contains(got, first[0]) {
		t.Errorf("another allocation has the same id %v", got)
	}
}

// fingerprints returns the ids of the findings in src, after JSON and SARIF were
// seen to agree on them.
func fingerprints(t *testing.T, src string) []string {
	t.Helper()
	if err := os.WriteFile("a.c", []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	var form struct {
		Findings []struct{ ID string }
	}
	var sarif struct {
		Runs []struct {
			Results []struct{ PartialFingerprints map[string]string }
		}
	}
	for format, v := range map[string]any{"json": &form, "sarif": &sarif} {
		var out, errs bytes.Buffer
		if got := execute(context.Background(), []string{"check", "-q", "--format", format, "a.c"}, &out, &errs); got != exitFound {
			t.Fatalf("exit status %d\n%s", got, &errs)
		}
		if err := json.Unmarshal(out.Bytes(), v); err != nil {
			t.Fatal(err)
		}
	}
	var ids, same []string
	for _, f := range form.Findings {
		ids = append(ids, f.ID)
	}
	for _, r := range sarif.Runs[0].Results {
		same = append(same, r.PartialFingerprints["plumb/v1"])
	}
	if !slices.Equal(ids, same) {
		t.Errorf("JSON has ids %v, SARIF %v", ids, same)
	}
	return ids
}
