// This file is plumb models: list, check, explain.

package cli

import (
	"fmt"
	"path"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plumb-project/plumb/internal/driver"
)

// modelForm teaches how to write a model.
const modelForm = `One line a function, # starts a comment. First what it returns, then what
  happens to its arguments; a bar sets apart the ways in which a call can end:
    make_thing(n) -> fresh for free_thing | null    returns new memory, or null
    free_thing(p) consumes p                        releases p
    open_log(path) -> fresh "log" for close_log | null    what is new is not memory
    add_thing(list, p) -> 0 consumes p | -1         takes p when it returns 0
    get_thing(out) -> 0 makes out for free | nonzero    leaves new memory in *out
    clear_thing(t) consumes *t                      releases what *t points to
    init_thing(t) fills t for drop_thing            leaves new memory inside of *t
    drop_thing(t) empties t                         releases that
    grow(p, n) -> fresh for free consumes p like free | null    as realloc does
    find(s, c) -> s | null                          returns its argument
    remember(p) keeps p                             p may be released later
    each(list, f, arg) calls f(_, arg)              calls f; later: after it returned
    fail(why) noreturn
  What is not mentioned is only looked at. A function without a line keeps all
  that it is given. A function of the program itself is what its body does,
  whatever the models say.`

// newModels shows what is known of library functions.
func newModels() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "models COMMAND",
		Short: "Show what plumb knows of library functions",
		Long: "Models say what functions without source do with memory: what they make, release,\n" +
			"keep or return. plumb comes with those of common libraries; write your own for others.",
		Example: `  plumb models explain getline          what plumb believes of a function
  plumb models list 'str*'              the models themselves
  plumb models check my.model           look for mistakes in a file of your own
  plumb check --models my.model -- make use it`,
		DisableFlagsInUseLine: true,
		Args:                  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return misuse(cmd, "no command named %q; to see what is known of a function use 'plumb models explain %[1]s'", args[0])
			}
			helpText(cmd.OutOrStdout(), cmd)
			return nil
		},
	}
	addSections(cmd, section{"Form", modelForm}, section{"Exit status", "0 shown, or no mistake found; 2 no such model, or a mistake in a model file."})
	cmd.AddCommand(newModelsList(), newModelsCheck(), newModelsExplain())
	return cmd
}

// modelFlags lets a command read more models.
func modelFlags(cmd *cobra.Command) *[]string {
	var files []string
	fs := pflag.NewFlagSet("Input", pflag.ContinueOnError)
	fs.StringArrayVar(&files, "models", nil, "read models from `FILE` too; they hold over those of plumb")
	addGroups(cmd, fs)
	return &files
}

func newModelsList() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list [PATTERN...] [--models FILE]",
		Short: "List models by the name of the function",
		Long:  "List the models of functions whose names match, all without a pattern.",
		Example: `  plumb models list 'str*'
  plumb models list --models my.model`,
		DisableFlagsInUseLine: true,
		ValidArgsFunction:     completeModels,
	}
	files := modelFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		set, err := driver.Models(*files)
		if err != nil {
			return err
		}
		n := 0
		for _, f := range set.All() {
			if !matchesAny(args, f.Name) {
				continue
			}
			n++
			if _, err := fmt.Fprintln(cmd.OutOrStdout(), f); err != nil {
				return err
			}
		}
		if n == 0 {
			return noModel(strings.Join(args, " "))
		}
		return nil
	}
	return cmd
}

func newModelsCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE...",
		Short: "Look for mistakes in model files",
		Long: "Read model files and say what cannot be read and what to write instead. Warn about\n" +
			"functions that have a model already, and about objects that nothing releases.",
		Example:               `  plumb models check my.model`,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misuse(cmd, "name the files to check")
			}
			r, err := driver.CheckModels(args)
			if err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			for _, e := range r.Errors {
				fmt.Fprintln(w, strings.Replace(e.Error(), ": ", ": error: ", 1))
			}
			for _, e := range r.Warnings {
				fmt.Fprintln(w, strings.Replace(e.Error(), ": ", ": warning: ", 1))
			}
			if n := len(r.Errors); n > 0 {
				return fmt.Errorf("%s in model files; 'plumb models --help' shows the form", count(n, "mistake"))
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "%s, no mistake, %s\n", count(r.Models, "model"), count(len(r.Warnings), "warning"))
			return nil
		},
	}
}

func newModelsExplain() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "explain FUNCTION... [--models FILE]",
		Short: "Say in words what plumb believes of a function",
		Long: "Say what a function does when it succeeds and when it fails, what releases what it\n" +
			"makes, and where its model is.",
		Example: `  plumb models explain realloc
  plumb models explain 'pthread_*'`,
		DisableFlagsInUseLine: true,
		ValidArgsFunction:     completeModels,
	}
	files := modelFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return misuse(cmd, "name a function: %s realloc", cmd.CommandPath())
		}
		set, err := driver.Models(*files)
		if err != nil {
			return err
		}
		w := cmd.OutOrStdout()
		for i, name := range args {
			n := 0
			for _, f := range set.All() {
				if !matchesAny(args[i:i+1], f.Name) {
					continue
				}
				if n++; n > 1 || i > 0 {
					fmt.Fprintln(w)
				}
				fmt.Fprintf(w, "%s\n  %s:%d%s\n", f, f.File, f.Line, comesWithPlumb(f.Builtin))
				for _, line := range set.Explain(f) {
					fmt.Fprintf(w, "  %s\n", line)
				}
			}
			if n == 0 {
				return noModel(name)
			}
		}
		return nil
	}
	return cmd
}

func comesWithPlumb(yes bool) string {
	if yes {
		return ", comes with plumb"
	}
	return ""
}

func noModel(name string) error {
	return fmt.Errorf("no model for %s: calls of it keep what they are given; write a line for it in a file and use --models FILE ('plumb models --help' has the form)", name)
}

// count prints "1 mistake", "2 mistakes".
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// completeModels completes names of functions.
func completeModels(_ *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
	var out []string
	set, err := driver.Models(nil)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	for _, f := range set.All() {
		if strings.HasPrefix(f.Name, prefix) {
			out = append(out, f.Name)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// matchesAny reports whether a name matches one of the patterns; no pattern
// matches all.
func matchesAny(patterns []string, name string) bool {
	for _, p := range patterns {
		if ok, _ := path.Match(p, name); ok || p == name {
			return true
		}
	}
	return len(patterns) == 0
}
