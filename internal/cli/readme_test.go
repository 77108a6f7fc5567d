package cli

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/plumb-project/plumb/internal/toolchain"
)

// TestReadme makes sure that the examples in README.md are what plumb prints.
func TestReadme(t *testing.T) {
	if findClang() == "" {
		t.Skip("needs clang")
	}
	t.Chdir("../..")
	for name, status := range map[string]int{"check": exitFound, "fix": exitNothing} {
		t.Setenv("XDG_CACHE_HOME", t.TempDir())
		command, want := readmeExample(t, name)
		var out bytes.Buffer
		if got := execute(context.Background(), command, &out, &out); got != status {
			t.Errorf("plumb %s: exit status %d", name, got)
		}
		if out.String() != want {
			t.Errorf("plumb %s prints\n%s\nREADME.md says\n%s", command, &out, want)
		}
	}
}

// TestReadmeRun is the same for plumb run, but for the place of strdup in the C
// library, which is another one on each machine.
func TestReadmeRun(t *testing.T) {
	if _, err := toolchain.FindHost(context.Background(), "", true); err != nil {
		t.Skip(err)
	}
	t.Chdir("../..")
	command, want := readmeExample(t, "run")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out, err := (&exec.Cmd{Path: exe, Args: append([]string{"plumb"}, command...)}).CombinedOutput()
	if err != nil {
		t.Error(err)
	}
	got := regexp.MustCompile(`(?m)^    #0 strdup .*`).ReplaceAllString(string(out), "    #0 strdup (libc.so.6+0x9a51a)")
	if got != want && *update {
		readme, err := os.ReadFile("README.md")
		if err == nil {
			err = os.WriteFile("README.md", bytes.Replace(readme, []byte(want), []byte(got), 1), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	} else if got != want {
		t.Errorf("plumb %s prints\n%s\nREADME.md says\n%s", command, got, want)
	}
}

// readmeExample finds the example of a command in README.md.
func readmeExample(t *testing.T, name string) (command []string, want string) {
	t.Helper()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(readme), "```\n$ plumb "+name+" ")
	example, _, ok := strings.Cut(example, "```\n")
	line, want, _ := strings.Cut(example, "\n")
	if !ok || line == "" {
		t.Fatalf("README.md has no example of plumb %s", name)
	}
	return append([]string{name}, strings.Fields(line)...), want
}

// TestReadmeFlags makes sure that README.md has every flag of plumb check but the
// policies, and no other. The policies have a page of their own.
func TestReadmeFlags(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(readme), "| flag | |\n")
	table, _, ok := strings.Cut(table, "\n\n")
	if !ok {
		t.Fatal("README.md has no table of flags")
	}
	named := map[string]bool{}
	for _, m := range regexp.MustCompile("`--([\\w.-]+)").FindAllStringSubmatch(table, -1) {
		named[m[1]] = true
	}
	policies := new(common).policyFlags()
	newCheck().Flags().VisitAll(func(f *pflag.Flag) {
		if policies.Lookup(f.Name) == nil && !named[f.Name] {
			t.Errorf("README.md does not have --%s", f.Name)
		}
		delete(named, f.Name)
	})
	for name := range named {
		t.Errorf("README.md has --%s, which plumb check does not", name)
	}
}

// TestRunFlags is the same for docs/run.md and plumb run.
func TestRunFlags(t *testing.T) {
	page, err := os.ReadFile("../../docs/run.md")
	if err != nil {
		t.Fatal(err)
	}
	newRun().Flags().VisitAll(func(f *pflag.Flag) {
		long, short := "--"+f.Name, "`-"+f.Shorthand+"`"
		if !strings.Contains(string(page), long) && (f.Shorthand == "" || !strings.Contains(string(page), short)) {
			t.Errorf("docs/run.md does not have %s", long)
		}
	})
	// The table has flags of plumb run alone; the text names some of the compiler's, too.
	for line := range strings.Lines(string(page)) {
		first, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " |")
		if !strings.HasPrefix(line, "| `--") {
			continue
		}
		for _, m := range regexp.MustCompile("`--([\\w-]+)").FindAllStringSubmatch(first, -1) {
			if newRun().Flags().Lookup(m[1]) == nil {
				t.Errorf("docs/run.md has --%s, which plumb run does not", m[1])
			}
		}
	}
}

// TestFixFlags is the same for docs/fix.md and the flags that plumb check does not have.
func TestFixFlags(t *testing.T) {
	page, err := os.ReadFile("../../docs/fix.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(page), "| flag | |\n")
	if !ok {
		t.Fatal("docs/fix.md has no table of flags")
	}
	check := newCheck().Flags()
	newFix().Flags().VisitAll(func(f *pflag.Flag) {
		if check.Lookup(f.Name) == nil && !strings.Contains(table, "`--"+f.Name) {
			t.Errorf("docs/fix.md does not have --%s", f.Name)
		}
	})
	for _, m := range regexp.MustCompile("`--([\\w-]+)").FindAllStringSubmatch(table, -1) {
		if newFix().Flags().Lookup(m[1]) == nil {
			t.Errorf("docs/fix.md has --%s, which plumb fix does not", m[1])
		}
	}
}
