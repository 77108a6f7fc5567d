// This file is plumb models.

package cli

import (
	"fmt"
	"path"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plumb-project/plumb/internal/driver"
)

// newModels lists what is known of library functions.
func newModels() *cobra.Command {
	var files []string
	cmd := &cobra.Command{
		Use:   "models [PATTERN...] [--models FILE]",
		Short: "Show what plumb knows of library functions",
		Long:  "Show the models of library functions whose names match, all without a pattern.",
		Example: `  plumb models 'str*'                   what is known of these
  plumb models --models my.model        read a file of your own, and list all
  plumb check --models my.model -- make use it`,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			set, err := driver.Models(files)
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
				return fmt.Errorf("no model for %q: calls of it keep what they are given; add a line to a file and use --models FILE", args)
			}
			return nil
		},
	}
	fs := pflag.NewFlagSet("Input", pflag.ContinueOnError)
	fs.StringArrayVar(&files, "models", nil, "read models from `FILE` too; they hold over those of plumb")
	addGroups(cmd, fs)
	addSections(cmd, section{"Form", `One line a function, # starts a comment:
    make_thing(n) -> fresh | null               returns new memory, or null
    open_log(path) -> fresh "log" | null        what is new is not memory
    free_thing(p) consumes p                    releases p
    add_thing(list, p) -> 0 consumes p | -1     takes p when it returns 0
    get_thing(out) -> 0 makes out | nonzero     leaves new memory in *out
    grow(p, n) -> fresh consumes p | null       as realloc does
    find(s, c) -> s | null                      returns its argument
    remember(p) keeps p                         p may be released later
    fail(why) noreturn
  What is not mentioned is only looked at. A function without a line keeps all.`}, section{"Exit status", "0 shown; 2 no such model, or a mistake in a model file."})
	return cmd
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
