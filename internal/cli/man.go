// This file writes the manual page, from the same texts as help.

package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newMan is plumb man, which make install runs.
func newMan() *cobra.Command {
	return &cobra.Command{
		Use:    "man",
		Short:  "Print the manual page",
		Long:   "Print the manual page, plumb.1, to be read by man.",
		Hidden: true,
		Args:   noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return writeMan(cmd.OutOrStdout(), cmd.Root())
		},
	}
}

// writeMan writes the manual page of a command and all below it. It has no date, so
// that the same version has the same page.
func writeMan(w io.Writer, root *cobra.Command) error {
	m := &man{bufio.NewWriter(w)}
	m.macro("TH", "PLUMB", "1", "", "plumb "+buildVersion(), "User Commands")
	m.macro("SH", "NAME")
	m.text("plumb - find and fix memory leaks in C and C++ programs")
	cmds := listed(root)
	m.macro("SH", "SYNOPSIS")
	for _, c := range cmds {
		m.macro("PP")
		m.text(c.UseLine())
	}
	m.macro("SH", "DESCRIPTION")
	m.text(root.Long)
	m.block(root.Example)
	m.macro("SH", "COMMANDS")
	for _, c := range cmds {
		m.command(c)
	}
	m.macro("SH", strings.ToUpper(exitSection.title))
	m.text(exitSection.text)
	m.macro("SH", "ENVIRONMENT")
	m.entry("VISUAL, EDITOR", "The editor of plumb fix --interactive; otherwise vi.")
	m.entry("NO_COLOR", "If it is set, text has no colours unless --color asks for them.")
	m.entry("PLUMB_ONLY", "A report of plumb check --format json: plumb cc and plumb c++ instrument only what its leaks need.")
	m.entry("PLUMB_CLANG", "The clang of plumb cc, plumb c++ and plumb run, version 16 to 22; otherwise the newest that has LLVM's headers.")
	m.entry("PLUMB_KITS", "Directory in which plumb keeps its compiler plugin and runtime; otherwise plumb/run in the user's cache.")
	m.entry("PLUMB_MODELS", "Model files of the program's own allocators, with a colon between them, for plumb cc and plumb c++.")
	m.entry("PLUMB_PASS", "Options of instrumentation, with a comma between them, for plumb cc and plumb c++: last-use.")
	m.entry("XDG_CACHE_HOME", "Directory of the user's cache, in which plumb keeps bitcode and the last report of each directory; otherwise ~/.cache.")
	m.macro("SH", "SEE ALSO")
	m.text("clang(1), valgrind(1), z3(1)")
	return m.Flush()
}

// listed returns the commands that do something, in the order of help.
func listed(c *cobra.Command) []*cobra.Command {
	var out []*cobra.Command
	for _, sub := range c.Commands() {
		switch {
		case sub.Hidden || sub.Name() == "help" || sub.Name() == "completion":
		case sub.HasSubCommands():
			out = append(append(out, sub), listed(sub)...)
		default:
			out = append(out, sub)
		}
	}
	return out
}

// A man is a manual page that is being written.
type man struct{ *bufio.Writer }

// command tells of one command.
func (m *man) command(c *cobra.Command) {
	m.macro("SS", c.CommandPath())
	m.text(c.Long)
	m.block(c.Example)
	group := ""
	c.Flags().SortFlags = false
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" {
			return
		}
		if g := f.Annotations[keyGroup]; len(g) > 0 && g[0] != group {
			group = g[0]
			m.macro("PP")
			m.text(group + ":")
		}
		kind, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		switch {
		case f.NoOptDefVal != "" && f.Value.Type() != "bool":
			name += "[=" + kind + "]"
		case kind != "":
			name += " " + kind
		}
		if d := f.DefValue; d != "" && d != "false" && d != "0" && d != "[]" {
			usage += fmt.Sprintf(" (default %s)", strings.Trim(d, "[]"))
		}
		m.entry(name, usage)
	})
	title := ""
	var body []string
	flush := func() {
		if title != "" && title != exitSection.title+":" {
			m.macro("PP")
			m.text(title)
			m.block(strings.Join(body, "\n"))
		}
		body = nil
	}
	for line := range strings.Lines(c.Annotations[keySections]) {
		line = strings.TrimRight(line, "\n")
		if line != "" && !strings.HasPrefix(line, " ") {
			flush()
			title = line
		} else if line != "" {
			body = append(body, line)
		}
	}
	flush()
}

// macro writes a request of man(7).
func (m *man) macro(name string, args ...string) {
	m.WriteString("." + name)
	for _, a := range args {
		m.WriteString(` "` + roff(a) + `"`)
	}
	m.WriteString("\n")
}

// entry writes a name and what it stands for.
func (m *man) entry(name, text string) {
	m.macro("TP")
	m.macro("B", name)
	m.text(text)
}

// text writes text that man fills.
func (m *man) text(s string) {
	for line := range strings.Lines(s) {
		m.WriteString(guarded(roff(strings.TrimSpace(line))) + "\n")
	}
}

// block writes lines that stay as they are.
func (m *man) block(s string) {
	if s == "" {
		return
	}
	m.macro("PP")
	m.macro("nf")
	for line := range strings.Lines(s) {
		m.WriteString(guarded(roff(strings.TrimRight(line, "\n"))) + "\n")
	}
	m.macro("fi")
}

// roff quotes what means something to roff.
func roff(s string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, `"`, `\(dq`, "'", `\(aq`).Replace(s)
}

// guarded keeps a line from being read as a request.
func guarded(s string) string {
	if strings.HasPrefix(s, ".") {
		return `\&` + s
	}
	return s
}
