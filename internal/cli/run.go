// This file is plumb run.

package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plumb-project/plumb/internal/driver"
	"github.com/plumb-project/plumb/internal/render"
	"github.com/plumb-project/plumb/internal/run"
)

// runCmd is the state of one plumb run.
type runCmd struct {
	cfg     run.Config
	kinds   []string
	signal  string
	exit    int
	format  string
	output  string
	color   string
	verbose bool
	quiet   bool

	children string
	only     string
	readDir  string
}

// runKinds are the words of --kinds.
var runKinds = []string{"lost", "forgotten"}

// maxHeld is how many findings of memory that is still held are told as text: a
// program that was not written to release all has hundreds, and those that are lost
// would scroll away.
const maxHeld = 20

func newRun() *cobra.Command {
	r := &runCmd{}
	cmd := &cobra.Command{
		Use:   "run [FLAG...] PROGRAM [ARG...] | plumb run [FLAG...] [COMPILER FLAG...] FILE... [-- ARG...]",
		Short: "Run a program and say where it lost memory",
		Long: "Run a program and say which memory it lost, where that was allocated, and at which\n" +
			"line the last pointer to it went away. Sources are built first.",
		Example: `  plumb run parse.c -- input.txt              build and run
  plumb run -O2 -Iinc main.c util.cpp -lm     compiler flags and libraries as always
  make CC='plumb cc' && plumb run ./prog      run a program that plumb cc has built
  plumb run make test                         and all programs that a command runs`,
		Args:                  cobra.ArbitraryArgs,
		DisableFlagsInUseLine: true,
		RunE:                  r.run,
	}
	what := pflag.NewFlagSet("What to look for", pflag.ContinueOnError)
	what.StringSliceVar(&r.kinds, "kinds", runKinds, "tell of these `KINDS` of memory: lost, and forgotten: still held at the end")
	what.StringArrayVar(&r.cfg.Known, "suppressions", nil, "only count the leaks that `FILE` lists, in the form of LeakSanitizer or Valgrind")
	what.BoolVar(&r.cfg.CC.LastUse, "last-use", false, "record last uses, too; slower (takes effect where code is compiled)")
	what.StringArrayVar(&r.cfg.CC.Models, "models", nil, "read the program's own allocators from `FILE`; see plumb models --help (takes effect where code is compiled)")
	what.BoolVar(&r.cfg.Options.Mmap, "track-mmap", false, "anonymous mappings are memory that can be lost, too")
	what.StringVar(&r.children, "children", "instrumented", "tell of processes that the program starts if `WHICH`: instrumented (run code built by plumb), or all")
	what.StringVar(&r.only, "only-reported", "", "follow only the allocations of the findings in `FILE`, which plumb check --format json wrote")

	when := pflag.NewFlagSet("When to report", pflag.ContinueOnError)
	when.StringVar(&r.cfg.Options.OnLeak, "on-leak", "report", "`DO` this when memory is lost: report, break (stop in a debugger), or exit")
	when.Int64Var(&r.cfg.Options.AfterBytes, "after-bytes", 0, "only when at least `N` bytes are lost")
	when.StringVar(&r.signal, "check-signal", "", "report without ending when the program gets the signal `SIG`")
	when.BoolVar(&r.cfg.Options.FastExit, "fast-exit", false, "report in processes that end by _exit, too")
	when.BoolVar(&r.cfg.Wait, "wait", false, "wait for all processes that the program leaves behind")

	out := pflag.NewFlagSet("Output", pflag.ContinueOnError)
	out.StringVar(&r.format, "format", "text", "write the report as `FORMAT`: text, json or sarif")
	out.StringVarP(&r.output, "output", "o", "", "write the report to `FILE` instead of stderr")
	out.StringVar(&r.color, "color", "auto", "colour text `WHEN`: auto, always or never; auto respects NO_COLOR")
	out.IntVar(&r.exit, "exit-code", 0, "exit with `N` when memory was lost, whatever the program's own status")
	out.StringVar(&r.readDir, "read", "", "run nothing, report what processes have written to `DIR`")
	out.StringVar(&r.cfg.Reports, "reports", "", "keep the files that the processes write in `DIR`")

	work := pflag.NewFlagSet("Work", pflag.ContinueOnError)
	work.StringVar(&r.cfg.CC.Clang, "clang", "", "use this clang `PROGRAM` (default: newest of 16 to 22 with LLVM's headers)")
	work.StringVar(&r.cfg.CC.CacheDir, "cache-dir", "", "keep the plugin and the runtime in `DIR` (default: plumb in the user's cache)")
	work.BoolVar(&r.cfg.Keep, "keep", false, "keep the program that was built, and say where it is")
	work.BoolVarP(&r.verbose, "verbose", "v", false, "say what is run; show all that is still held, and calls inside libraries")
	work.BoolVarP(&r.quiet, "quiet", "q", false, "only the report; no summary and no advice")
	addGroups(cmd, what, when, out, work)
	addSections(cmd, section{"Exit status", "The program's own, or the one of --exit-code; 2 if it could not be built or started."},
		section{"Limits", `Lines of loss are known for code built by plumb cc, plumb c++ or plumb run. Other
  code still shows what is lost and where it was allocated, unless it is linked with
  -static or runs with the rights of another user. docs/run.md has the rest.`})
	completeWords(cmd, "kinds", runKinds...)
	completeWords(cmd, "children", "instrumented", "all")
	completeWords(cmd, "on-leak", "report", "break", "exit")
	completeWords(cmd, "format", "text", "json", "sarif")
	completeWords(cmd, "color", "auto", "always", "never")
	return cmd
}

// arrangeRun puts plumb's own flags of a plumb run before a --, and all else
// behind it: only there compiler flags and those of the program look alike to
// the reader of flags.
func arrangeRun(root *cobra.Command, args []string) ([]string, error) {
	cmd, rest, err := root.Find(args)
	if err != nil || cmd.Name() != "run" {
		return args, nil
	}
	cmd.InitDefaultHelpFlag()
	own, w, err := run.Split(rest, func(a []string) int { return ownWords(cmd.Flags(), a) })
	if err != nil {
		return nil, misuse(cmd, "%w", err)
	}
	out := append([]string{"run"}, own...)
	out = append(append(append(out, "--"), w.Build...), "--")
	return append(out, w.Program...), nil
}

// ownWords is how many words the flag at the start of args has, 0 if it is none
// of plumb's. Of flags with one dash only those are that the compiler has no use for.
func ownWords(fs *pflag.FlagSet, args []string) int {
	name, _, joined := strings.Cut(args[0], "=")
	var f *pflag.Flag
	switch {
	case strings.HasPrefix(name, "--"):
		if f = fs.Lookup(name[2:]); f == nil {
			return 1 // unknown, as will be said
		}
	case name == "-v" || name == "-q" || name == "-h" || name == "-o":
		f = fs.ShorthandLookup(name[1:])
	default:
		return 0
	}
	if joined || f.NoOptDefVal != "" {
		return 1
	}
	return 2
}

func (r *runCmd) run(cmd *cobra.Command, args []string) error {
	if err := r.read(cmd, args); err != nil {
		return err
	}
	format, err := render.ParseFormat(r.format)
	if err != nil {
		return misuse(cmd, "%w", err)
	}
	stderr := cmd.ErrOrStderr()
	to := stderr
	if r.output == "-" {
		to = cmd.OutOrStdout()
	}
	color, err := wantColor(cmd, r.color, r.output, to)
	if err != nil {
		return err
	}
	form := render.Config{Format: format, Color: color, Version: buildVersion(), AllFrames: r.verbose, MaxHeld: maxHeld, Input: checkWords(r.cfg.Build)}
	if r.verbose {
		form.MaxHeld = 0
	}
	if form.Dir, err = os.Getwd(); err != nil {
		return fmt.Errorf("working directory: %w", err)
	}
	out, err := openOutput(r.output, to)
	if err != nil {
		return err
	}
	defer out.discard()
	r.cfg.Stderr = stderr
	if isTerminal(stderr) && !r.quiet {
		r.cfg.CC.Say = stderr
	}
	if r.verbose {
		r.cfg.Verbose = func(format string, args ...any) { fmt.Fprintf(stderr, "plumb: "+format+"\n", args...) }
	}
	var res *run.Result
	if r.readDir != "" {
		r.cfg.Reports = r.readDir
		res, err = run.Read(r.cfg)
	} else {
		res, err = run.Program(cmd.Context(), r.cfg)
	}
	if err != nil {
		return err
	}
	if err := out.commit(render.Write(out, res.Report, form)); err != nil {
		return err
	}
	form.Format = render.JSON
	kept := driver.Config{CacheDir: r.cfg.CC.CacheDir, Dir: form.Dir}
	if err := kept.KeepReport(func(w io.Writer) error { return render.Write(w, res.Report, form) }); err != nil && r.verbose {
		fmt.Fprintf(stderr, "plumb: %v; plumb explain will not know of this run\n", err)
	}
	r.tell(stderr, res)
	if r.exit > 0 && res.Report.Defects() > 0 {
		return &endError{run.Status{Code: r.exit}}
	}
	return &endError{res.Status}
}

// checkWords are the words by which plumb check names a program that was built from
// these: sources, then flags of the compiler behind --. Libraries are nothing to it.
func checkWords(build []string) []string {
	var sources, flags []string
	for _, w := range build {
		switch {
		case run.IsSource(w):
			sources = append(sources, w)
		case !run.IsInput(w) && !strings.HasPrefix(w, "-l"):
			flags = append(flags, w)
		}
	}
	if len(sources) > 0 && len(flags) > 0 {
		return slices.Concat(sources, []string{"--"}, flags)
	}
	return sources
}

// read takes in the command line.
func (r *runCmd) read(cmd *cobra.Command, args []string) error {
	if i := slices.Index(args, "--"); i >= 0 {
		r.cfg.Build, r.cfg.Program = args[:i], args[i+1:]
	}
	switch something := len(r.cfg.Build) > 0 || len(r.cfg.Program) > 0; {
	case something && r.readDir != "":
		return misuse(cmd, "both --read and a program are given; use one")
	case !something && r.readDir == "":
		return misuse(cmd, "nothing to run: name a program (%[1]s ./prog) or its sources (%[1]s main.c)", cmd.CommandPath())
	}
	for _, k := range r.kinds {
		if !slices.Contains(runKinds, k) {
			return misuse(cmd, "--kinds %s: use lost or forgotten", k)
		}
	}
	r.cfg.Options.Kinds = r.kinds
	switch r.cfg.Options.OnLeak {
	case "report", "break", "exit":
	default:
		return misuse(cmd, "--on-leak %s: use report, break or exit", r.cfg.Options.OnLeak)
	}
	if r.exit < 0 || r.exit > 255 {
		return misuse(cmd, "--exit-code %d: use a number from 0 to 255", r.exit)
	}
	if r.cfg.Options.AfterBytes < 0 {
		return misuse(cmd, "--after-bytes %d: use a number above 0", r.cfg.Options.AfterBytes)
	}
	switch r.children {
	case "instrumented":
	case "all":
		r.cfg.Whose = run.Everyone
	default:
		return misuse(cmd, "--children %s: use instrumented or all", r.children)
	}
	if len(r.cfg.Known) == 0 {
		r.cfg.Options.ExitCode = r.exit // the runtime knows nothing of suppressions
	}
	if r.only != "" {
		var err error
		if r.cfg.CC.Only, err = readOnly(r.only); err != nil {
			return err
		}
		r.cfg.Options.Only = true
	}
	if r.signal != "" {
		n, err := run.ParseSignal(r.signal)
		if err != nil {
			return misuse(cmd, "--check-signal: %w", err)
		}
		r.cfg.Options.Signal = n
	}
	if r.cfg.CC.Clang == "" {
		r.cfg.CC.Clang = os.Getenv("PLUMB_CLANG")
	}
	return nil
}

// tell says what the user should know beside the report.
func (r *runCmd) tell(w io.Writer, res *run.Result) {
	if res.Unread != nil {
		fmt.Fprintf(w, "warning: %v\n", res.Unread)
	}
	switch {
	case len(res.Report.Processes) > 0:
		if !r.quiet {
			fmt.Fprintln(w, render.Summary(res.Report))
		}
	case res.Silent != "":
		fmt.Fprintf(w, "warning: the program wrote no report: %s\n", res.Silent)
	default:
		fmt.Fprintln(w, "warning: the program wrote no report")
	}
	if len(res.Others) > 0 && !r.quiet {
		fmt.Fprintf(w, "plumb: not told of: what is lost in %s; --children=all tells\n", strings.Join(res.Others, ", "))
	}
	if res.Scratch != "" {
		fmt.Fprintf(w, "plumb: the program is in %s\n", res.Scratch)
	}
	if len(res.Running) > 0 {
		var names []string
		for _, p := range res.Running {
			names = append(names, fmt.Sprintf("%s (%d)", p.Name, p.PID))
		}
		fmt.Fprintf(w, "plumb: still running: %s; what they lose can be read when they have ended, by plumb run --read %s; --wait waits for them\n", strings.Join(names, ", "), res.Dir)
	}
}

// An endError ends plumb as the program ended.
type endError struct{ run.Status }

func (e *endError) Error() string { return fmt.Sprintf("the program ended with %+v", e.Status) }
