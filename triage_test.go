package plumb_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	verdictRow = regexp.MustCompile(`(?m)^\| \S+:\d+ .*\| (true|latent|false) \| [^|]+ \|$`)
	causeRow   = regexp.MustCompile("(?m)^\\| [^|]+ \\| \\d+ \\| `(idiom_\\w+\\.c)` \\|$")
)

// TestTriage makes sure that the sums in docs/triage are those of the verdicts, and
// that there is a fixture for each cause of a false finding. The fixture may be
// understood by now, and the finding not: a program is larger than its fixture.
func TestTriage(t *testing.T) {
	read := func(file string) string {
		text, err := os.ReadFile(filepath.Join("docs", file))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	overview := read("triage/README.md")
	files, err := filepath.Glob("docs/triage/*.md")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]int{}
	for _, file := range files {
		name := filepath.Base(file)
		if name == "README.md" || strings.HasPrefix(name, "fix-") {
			continue
		}
		text, _, _ := strings.Cut(read("triage/"+name), "## No longer reported")
		n := map[string]int{}
		for _, m := range verdictRow.FindAllStringSubmatch(text, -1) {
			n[m[1]]++
			all[m[1]]++
		}
		row := sums(n)
		if !strings.Contains(text, "\n"+row+"\n") {
			t.Errorf("the verdicts of %s sum up to %q", name, row)
		}
		if !regexp.MustCompile(`\(` + regexp.QuoteMeta(name) + `\) [^|]+` + regexp.QuoteMeta(row)).MatchString(overview) {
			t.Errorf("docs/triage/README.md does not have the sums of %s: %q", name, row)
		}
		causes := causeRow.FindAllStringSubmatch(text, -1)
		if (len(causes) == 0) != (n["false"] == 0) {
			t.Errorf("%s has %d causes of %d false findings", name, len(causes), n["false"])
		}
		for _, m := range causes {
			if _, err := os.Stat(filepath.Join("internal/leak/testdata", m[1])); err != nil {
				t.Errorf("there is no fixture %s, which is a cause in %s", m[1], name)
			}
		}
	}
	if row := "| all " + sums(all); !strings.Contains(overview, row) {
		t.Errorf("docs/triage/README.md does not have the sums of all: %q", row)
	}
}

// sums is the row of numbers for verdicts counted.
func sums(n map[string]int) string {
	total := n["true"] + n["latent"] + n["false"]
	percent := func(part int) int { return int(math.Round(100 * float64(part) / float64(total))) }
	return fmt.Sprintf("| %d | %d | %d | %d | %d%% | %d%% |", n["true"], n["latent"], n["false"], total,
		percent(n["true"]), percent(n["true"]+n["latent"]))
}

var patchRow = regexp.MustCompile(`(?m)^\| \S+:\d+ .*\| (merge|change|wrong) \| [^|]+ \|$`)

// TestPatchTriage makes sure that the sums of the verdicts on patches are right,
// and that each program of them has its tests named.
func TestPatchTriage(t *testing.T) {
	files, err := filepath.Glob("docs/triage/fix-*.md")
	if err != nil {
		t.Fatal(err)
	}
	overview, err := os.ReadFile("docs/triage/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		n := map[string]int{}
		for _, m := range patchRow.FindAllStringSubmatch(string(text), -1) {
			n[m[1]]++
		}
		row := fmt.Sprintf("| %d | %d | %d | %d |", n["merge"], n["change"], n["wrong"], n["merge"]+n["change"]+n["wrong"])
		if !strings.Contains(string(text), "\n"+row+"\n") {
			t.Errorf("the verdicts of %s sum up to %q", file, row)
		}
		if !strings.Contains(string(overview), "("+filepath.Base(file)+") "+row) {
			t.Errorf("docs/triage/README.md does not have the sums of %s: %q", file, row)
		}
		if !strings.Contains(string(text), "\n## Tests\n") {
			t.Errorf("%s does not say which tests were run", file)
		}
	}
}
