package cli

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestReadme makes sure that the example in README.md is what plumb prints.
func TestReadme(t *testing.T) {
	if findClang() == "" {
		t.Skip("needs clang")
	}
	t.Chdir("../..")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(readme), "```\n$ plumb ")
	example, _, ok := strings.Cut(example, "```\n")
	command, want, _ := strings.Cut(example, "\n")
	if !ok || command == "" {
		t.Fatal("README.md has no example")
	}
	var out bytes.Buffer
	if got := execute(context.Background(), strings.Fields(command), &out, &out); got != exitFound {
		t.Errorf("exit status %d", got)
	}
	if out.String() != want {
		t.Errorf("plumb %s prints\n%s\nREADME.md says\n%s", command, &out, want)
	}
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
