// Package cli is plumb's command line: commands, flags, help, progress, exit
// status.
//
// Answers go to stdout, everything else to stderr. The exit status is the same
// in every format: 0 when nothing was found, 1 when leaks were found, 2 when
// plumb failed or was misused.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/plumb-project/plumb/internal/driver"
)

// Exit statuses.
const (
	exitNothing = 0 // plumb did its work and found nothing
	exitFound   = 1 // plumb did its work and found something
	exitFailed  = 2 // plumb failed or was misused
)

// errFound is how a command says that it found something.
var errFound = errors.New("leaks found")

// A usageError is a misuse of the command line.
type usageError struct {
	err  error
	path string // of the command, for its help
}

func (e *usageError) Error() string {
	return fmt.Sprintf("%v\nRun '%s --help' for how to use it.", e.err, e.path)
}

func (e *usageError) Unwrap() error { return e.err }

// misuse makes a usageError.
func misuse(cmd *cobra.Command, format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...), cmd.CommandPath()}
}

// Main runs plumb in this process and returns its exit status.
func Main() int {
	if handled, code := compilerMain(os.Args); handled {
		return code
	}
	return execute(stoppable(), os.Args[1:], os.Stdout, os.Stderr)
}

// editing is the key of a context's *atomic.Bool that is true while an editor has the
// terminal: Ctrl-C is the editor's then.
type editing struct{}

// stoppable returns a context that ends at the first signal to stop; the second kills.
func stoppable() context.Context {
	busy := new(atomic.Bool)
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), editing{}, busy))
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, stopSignals()...)
	go func() {
		for s := range signals {
			if s != os.Interrupt || !busy.Load() {
				signal.Stop(signals)
				cancel()
				return
			}
		}
	}()
	return ctx
}

// stopSignals are those that end a run cleanly. A signal that plumb was started
// to ignore, as under nohup, stays ignored.
func stopSignals() []os.Signal {
	var sigs []os.Signal
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			sigs = append(sigs, s)
		}
	}
	return sigs
}

// execute runs one command line.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetOut(stdout)
	root.SetErr(stderr)
	args, err := arrangeRun(root, args)
	if err == nil {
		root.SetArgs(args)
		err = root.ExecuteContext(ctx)
	}
	var crash *driver.PanicError
	var end *endError
	switch {
	case err == nil:
		return exitNothing
	case errors.As(err, &end):
		return end.Die()
	case errors.Is(err, errFound):
		return exitFound
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "plumb: interrupted")
	case errors.As(err, &crash):
		fmt.Fprintf(stderr, "plumb: %v\nThis is a defect of plumb; please report it with the lines below.\n%s", err, crash.Stack)
	default:
		fmt.Fprintf(stderr, "plumb: %v\n", err)
	}
	return exitFailed
}

// newRoot makes the tree of commands.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "plumb COMMAND",
		Short: "Find and fix memory leaks in C and C++ programs",
		Long: "plumb finds, pinpoints and fixes memory leaks in C and C++ programs. plumb check compiles\n" +
			"a project to LLVM bitcode and looks for memory that is not released; plumb run runs a\n" +
			"program and says where it lost the last pointer to each block; plumb fix proposes changes\n" +
			"of the source that release it, each of them proved. They use the clang of your machine.",
		Example: `  plumb check parse.c util.c       check source files
  plumb check -- make -j4          run a build and check what it compiles
  plumb check -p build             check the units of build/compile_commands.json
  plumb run parse.c -- input.txt   build and run, and say where memory was lost
  make CC='plumb cc'               build for plumb run
  plumb fix -p build | git apply   fix what can be fixed
  plumb explain 3f2a9c1b           tell all about the finding with this id`,
		SilenceErrors:         true,
		SilenceUsage:          true,
		DisableFlagsInUseLine: true,
		Args:                  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return misuse(cmd, "no command named %q", args[0])
			}
			return misuse(cmd, "no command given; to find leaks use 'plumb check' or 'plumb run', to fix them 'plumb fix'")
		},
	}
	root.AddCommand(newCheck(), newRun(), newFix(), newCC(false), newCC(true), newExplain(), newDump(), newModels(), newVersion(), newMan())
	root.SetHelpCommand(newHelp())
	root.SetHelpFunc(writeHelp)
	root.SetFlagErrorFunc(flagError)
	root.InitDefaultCompletionCmd()
	return root
}
