package cli

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestMan makes sure that the manual page has every command and flag, and that
// groff has nothing to say against it.
func TestMan(t *testing.T) {
	var page bytes.Buffer
	root := newRoot()
	if err := writeMan(&page, root); err != nil {
		t.Fatal(err)
	}
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		if c.Hidden || c.Name() == "help" || c.Name() == "completion" {
			return
		}
		if want := `.SS "` + roff(c.CommandPath()) + `"`; c.HasParent() && !strings.Contains(page.String(), want) {
			t.Errorf("the page has no %s", want)
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" && !strings.Contains(page.String(), roff("--"+f.Name)) {
				t.Errorf("the page has no --%s", f.Name)
			}
		})
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(root)
	if _, err := exec.LookPath("groff"); err != nil {
		t.Skip("groff is not installed")
	}
	cmd := exec.Command("groff", "-man", "-ww", "-Tutf8", "-z")
	cmd.Stdin = &page
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("groff: %v\n%s", err, out)
	}
}
