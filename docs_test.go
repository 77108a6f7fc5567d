package plumb_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/report"
)

// TestDocs makes sure that what the code has, the documents name.
func TestDocs(t *testing.T) {
	read := func(file string) string {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	readme, architecture := read("README.md"), read("docs/architecture.md")
	for p := range layers {
		name := strings.TrimPrefix(p, "internal/")
		if _, err := os.Stat(p); err != nil {
			t.Errorf("the table of layers has %s: %v", p, err)
		}
		if !strings.Contains(readme, p) {
			t.Errorf("README.md does not name %s", p)
		}
		if p != name && !strings.Contains(architecture, "`"+name+"`") {
			t.Errorf("docs/architecture.md does not name %s", name)
		}
	}
	files, err := filepath.Glob("internal/leak/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, file := range files {
		name := filepath.Base(file)
		have = append(have, name)
		if !strings.HasSuffix(name, "_test.go") && !strings.Contains(architecture, "`"+name+"`") {
			t.Errorf("docs/architecture.md does not name %s; add it to the table of files there", file)
		}
	}
	for _, m := range regexp.MustCompile("`(\\w+\\.go)`").FindAllStringSubmatch(architecture, -1) {
		if !slices.Contains(have, m[1]) {
			t.Errorf("docs/architecture.md names %s, which internal/leak does not have", m[1])
		}
	}
	policies := read("docs/policies.md")
	for _, s := range leak.Settings {
		for _, v := range s.Values {
			if !strings.Contains(policies, "`"+v+"`") {
				t.Errorf("docs/policies.md does not name the value %s of --%s", v, s.Name)
			}
		}
		if !strings.Contains(policies, "`--"+s.Name+"`") || !strings.Contains(policies, "\n## "+s.Name+"\n") {
			t.Errorf("docs/policies.md does not explain --%s", s.Name)
		}
	}
	for _, k := range report.Kinds {
		if !strings.Contains(read(filepath.Join("docs/findings", k.String()+".md")), k.Rule()) {
			t.Errorf("the page of %s does not name its rule", k)
		}
	}
}
