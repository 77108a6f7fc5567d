package cli

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
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
	if got := run(context.Background(), strings.Fields(command), &out, &out); got != exitFound {
		t.Errorf("exit status %d", got)
	}
	if out.String() != want {
		t.Errorf("plumb %s prints\n%s\nREADME.md says\n%s", command, &out, want)
	}
}
