// This file writes help: a sentence, usage, examples, flags by purpose, exit
// status, limits.

package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A section is a titled paragraph of help.
type section struct{ title, text string }

var exitSection = section{"Exit status", "0 nothing found; 1 leaks or other defects found; 2 plumb failed or was misused."}

// The keys under which a command keeps what cobra has no place for. Values are
// texts, ready to print.
const (
	keyFlags    = "plumb.flags"
	keySections = "plumb.sections"
	keyGroup    = "plumb.group" // of a flag: its group
)

// addGroups gives cmd the flags of all groups, and shows them group by group.
func addGroups(cmd *cobra.Command, groups ...*pflag.FlagSet) {
	var b strings.Builder
	for _, g := range groups {
		g.SortFlags = false
		g.VisitAll(func(f *pflag.Flag) { f.Annotations = map[string][]string{keyGroup: {g.Name()}} })
		cmd.Flags().AddFlagSet(g)
		fmt.Fprintf(&b, "\n%s:\n%s", g.Name(), g.FlagUsages())
	}
	annotate(cmd, keyFlags, b.String())
}

// addSections adds paragraphs at the end of a command's help.
func addSections(cmd *cobra.Command, sections ...section) {
	var b strings.Builder
	for _, s := range sections {
		fmt.Fprintf(&b, "\n%s:\n  %s\n", s.title, s.text)
	}
	annotate(cmd, keySections, b.String())
}

func annotate(cmd *cobra.Command, key, value string) {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[key] = value
}

// writeHelp is the help of any command.
func writeHelp(cmd *cobra.Command, _ []string) { helpText(cmd.OutOrStdout(), cmd) }

func helpText(w io.Writer, cmd *cobra.Command) {
	long := cmd.Long
	if long == "" {
		long = cmd.Short + "."
	}
	fmt.Fprintf(w, "%s\n\nUsage:\n  %s\n", strings.TrimSpace(long), cmd.UseLine())
	if cmd.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprint(w, "\nCommands:\n")
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				fmt.Fprintf(w, "  %-11s %s\n", sub.Name(), sub.Short)
			}
		}
	}
	if text, ok := cmd.Annotations[keyFlags]; ok {
		fmt.Fprint(w, text)
	} else if fs := cmd.NonInheritedFlags(); cmd.HasParent() && fs.HasAvailableFlags() && !cmd.DisableFlagParsing {
		fmt.Fprintf(w, "\nFlags:\n%s", fs.FlagUsages())
	}
	fmt.Fprint(w, cmd.Annotations[keySections])
	if !cmd.HasParent() {
		fmt.Fprintf(w, "\n%s:\n  %s\n\nRun 'plumb help COMMAND' for more about a command.\n", exitSection.title, exitSection.text)
	}
}

// newHelp is plumb help.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about any command",
		RunE: func(cmd *cobra.Command, args []string) error {
			target, rest, err := cmd.Root().Find(args)
			if err != nil || target == nil || len(rest) > 0 {
				return misuse(cmd.Root(), "no command named %q", strings.Join(args, " "))
			}
			target.InitDefaultHelpFlag()
			helpText(cmd.OutOrStdout(), target)
			return nil
		},
	}
}

// completeWords lets shells complete the value of a flag.
func completeWords(cmd *cobra.Command, flag string, words ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag is not defined
	}
}
