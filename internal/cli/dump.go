// This file is plumb dump.

package cli

import (
	"bufio"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plumb-project/plumb/internal/driver"
)

type dump struct {
	common
	phase string
	fn    string
	line  int
	as    string
}

func newDump() *cobra.Command {
	d := &dump{}
	cmd := &cobra.Command{
		Use:   "dump --phase=PHASE [FILE...] [-p DIR] [-- FLAGS | -- BUILD COMMAND]",
		Short: "Show what plumb makes of a program",
		Long:  "Show what plumb makes of a program, phase by phase.",
		Example: `  plumb dump --phase=ir --func='^parse$' parse.c
  plumb dump --phase=callgraph --as=dot -p build | dot -Tsvg -o calls.svg
  plumb dump --phase=useflow --func='^parse$' --line=41 --as=dot parse.c | dot -Tsvg -o flow.svg`,
		Args:                  cobra.ArbitraryArgs,
		DisableFlagsInUseLine: true,
		RunE:                  d.run,
	}
	show := pflag.NewFlagSet("What to show", pflag.ContinueOnError)
	show.StringVar(&d.phase, "phase", "", "show `PHASE`: "+phaseNames(", "))
	show.StringVar(&d.fn, "func", "", "only functions whose name matches the regular expression `RE`")
	show.IntVar(&d.line, "line", 0, "for useflow: only what is allocated in line `N`")
	show.StringVar(&d.as, "as", "text", "write `FORM`: text, or dot for graphs")
	addGroups(cmd, show, d.inputFlags(), d.policyFlags(), d.runFlags(), d.debug.flags())
	lines := []string{}
	for _, p := range driver.DumpPhases {
		lines = append(lines, p.Name+strings.Repeat(" ", 11-len(p.Name))+p.Help)
	}
	addSections(cmd,
		section{"Phases", strings.Join(lines, "\n  ")},
		section{"Exit status", "0 something was shown; 2 plumb failed or was misused."},
		section{"Limits", "The text form may change between versions. A call through a pointer that may\n  lead to more than eight functions has no edge in the call graph."})
	completeWords(cmd, "phase", strings.Fields(phaseNames(" "))...)
	completeWords(cmd, "as", "text", "dot")
	completePolicies(cmd)
	return cmd
}

func phaseNames(sep string) string {
	var names []string
	for _, p := range driver.DumpPhases {
		names = append(names, p.Name)
	}
	return strings.Join(names, sep)
}

func (d *dump) run(cmd *cobra.Command, args []string) error {
	i := slices.IndexFunc(driver.DumpPhases, func(p driver.DumpPhase) bool { return p.Name == d.phase })
	if i < 0 {
		return misuse(cmd, "--phase=%s: use one of %s", d.phase, phaseNames(", "))
	}
	if p := driver.DumpPhases[i]; !slices.Contains(p.As, d.as) {
		return misuse(cmd, "--as=%s: phase %s has %s", d.as, p.Name, strings.Join(p.As, ", "))
	}
	if d.line < 0 {
		return misuse(cmd, "--line %d: give the line of an allocation", d.line)
	}
	cfg := driver.DumpConfig{Phase: d.phase, As: d.as, Line: d.line, Models: d.cfg.Models, Policy: d.cfg.Policy}
	if d.fn != "" {
		re, err := regexp.Compile(d.fn)
		if err != nil {
			return misuse(cmd, "--func: %w", err)
		}
		cfg.Func = re
	}
	if err := d.inputs(cmd, args); err != nil {
		return err
	}
	stop, err := d.begin(cmd)
	if err != nil {
		return err
	}
	prog, rep, err := driver.Load(cmd.Context(), d.cfg)
	stop(&err)
	d.warnSkipped(cmd, rep)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(cmd.OutOrStdout())
	if err := driver.Dump(w, prog, cfg); err != nil {
		return err
	}
	return w.Flush()
}
