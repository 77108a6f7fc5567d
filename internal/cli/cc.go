// This file is plumb cc and plumb c++.

package cli

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/plumb-project/plumb/internal/cc"
	"github.com/plumb-project/plumb/internal/driver"
)

// compilerMain makes this process a compiler if it was called as one: as a driver
// by the name of a link or as plumb cc, or as the recording compiler of a build.
// It comes before all else, as builds call it for each file.
func compilerMain(args []string) (handled bool, exitCode int) {
	if len(args) == 0 {
		return false, 0
	}
	if cxx, ok := cc.DriverName(args[0]); ok {
		return true, compile(cxx, args[1:])
	}
	if handled, code := driver.ShimMain(args, os.Environ()); handled {
		return true, code
	}
	if cxx, ok := cc.CompilerName(args[0]); ok {
		return true, compile(cxx, args[1:])
	}
	if len(args) > 1 && (args[1] == "cc" || args[1] == "c++") {
		return true, compile(args[1] == "c++", args[2:])
	}
	return false, 0
}

// compile becomes clang.
func compile(cxx bool, args []string) int {
	var say io.Writer
	if isTerminal(os.Stderr) {
		say = os.Stderr
	}
	only, err := onlyFromEnv()
	if err == nil {
		err = cc.Exec(context.Background(), cc.Config{Clang: os.Getenv("PLUMB_CLANG"), Only: only, Say: say}, cxx, args)
	}
	fmt.Fprintf(os.Stderr, "plumb: %v\n", err)
	return exitFailed
}

// newCC is plumb cc or plumb c++, for help: Main does not come here to compile.
func newCC(cxx bool) *cobra.Command {
	name, lang, makevar := "cc", "C", "CC"
	if cxx {
		name, lang, makevar = "c++", "C++", "CXX"
	}
	cmd := &cobra.Command{
		Use:   name + " ARGUMENT...",
		Short: "Compile " + lang + " for plumb run, as clang does",
		Long: "Compile " + lang + " with clang and make an instrumented program: one that can tell\n" +
			"where the last pointer to a block was lost. All arguments are clang's.",
		Example: fmt.Sprintf(`  plumb %[1]s -O2 -c parse.c
  make %[2]s='plumb %[1]s'              also as plumb-%[1]s, a link to plumb
  %[2]s=plumb-%[1]s ./configure && make`, name, makevar),
		DisableFlagsInUseLine: true,
		DisableFlagParsing:    true,
		RunE: func(cmd *cobra.Command, args []string) error {
			only, err := onlyFromEnv()
			if err != nil {
				return err
			}
			return cc.Exec(cmd.Context(), cc.Config{Clang: os.Getenv("PLUMB_CLANG"), Only: only}, cxx, args)
		},
	}
	addSections(cmd, section{"Environment", `PLUMB_CLANG   use this clang, version 16 to 22 (default: the newest with LLVM's headers)
  PLUMB_MODELS  files that tell of the program's own allocators; see plumb models --help
  PLUMB_ONLY    report of plumb check --format json: instrument what its leaks need, for
                plumb run --only-reported
  PLUMB_PASS    last-use records last uses, for plumb run`},
		section{"Exit status", "That of clang; 2 if there is none, or the plugin cannot be built."},
		section{"Limits", `Code for other machines, without a C library, or with a sanitizer that has its
  own malloc (address, leak, memory, thread) is compiled without instrumentation.`})
	return cmd
}
