// This file reads from the command line what is to be analysed.

package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plumb-project/plumb/internal/driver"
)

// common are the flags of every command that reads a program.
type common struct {
	cfg     driver.Config
	verbose bool
	quiet   bool
	debug   debugFlags
}

// inputFlags names the program and the compiler.
func (c *common) inputFlags() *pflag.FlagSet {
	fs := pflag.NewFlagSet("Input", pflag.ContinueOnError)
	fs.StringVarP(&c.cfg.BuildDir, "build-dir", "p", "", "read compile_commands.json in `DIR`")
	fs.StringVar(&c.cfg.WriteDB, "write-compile-commands", "", "write the compile commands found to `FILE`")
	fs.StringArrayVar(&c.cfg.Models, "models", nil, "read what library functions do from `FILE` too; see plumb models --help")
	fs.StringVar(&c.cfg.Clang, "clang", "", "use this clang `PROGRAM` (default: newest of 14 to 22 on PATH)")
	return fs
}

// runFlags says how to work.
func (c *common) runFlags() *pflag.FlagSet {
	fs := pflag.NewFlagSet("Work", pflag.ContinueOnError)
	fs.IntVarP(&c.cfg.Jobs, "jobs", "j", 0, "do `N` things at a time (default: one per processor)")
	fs.StringVar(&c.cfg.CacheDir, "cache-dir", "", "keep bitcode and the last report in `DIR` (default: plumb in the user's cache)")
	fs.BoolVar(&c.cfg.NoCache, "no-cache", false, "compile every unit, keep nothing")
	fs.BoolVarP(&c.verbose, "verbose", "v", false, "say more: flags dropped, notes about units")
	fs.BoolVarP(&c.quiet, "quiet", "q", false, "no progress and no summary; warnings stay")
	return fs
}

// inputs sorts the words of a command line into files, compiler flags and a
// build command: behind "--" stand compiler flags if files are named before it,
// and a build command if none is.
func (c *common) inputs(cmd *cobra.Command, args []string) error {
	return c.sort(cmd, args, cmd.ArgsLenAtDash())
}

// sort does that for words with "--" before the word with index dash; -1 for none.
func (c *common) sort(cmd *cobra.Command, args []string, dash int) error {
	files, rest := args, []string(nil)
	if dash >= 0 {
		files, rest = args[:dash], args[dash:]
	}
	cfg := &c.cfg
	var err error
	if cfg.Dir, err = os.Getwd(); err != nil {
		return fmt.Errorf("working directory: %w", err)
	}
	if cfg.Jobs < 0 {
		return misuse(cmd, "--jobs %d: give a number above 0", cfg.Jobs)
	}
	if cfg.Jobs == 0 {
		cfg.Jobs = runtime.GOMAXPROCS(0)
	}
	switch {
	case len(files) > 0 && cfg.BuildDir != "":
		return misuse(cmd, "both files and -p are given; use one")
	case len(files) > 0:
		cfg.Files, cfg.Flags = files, rest
		return c.checkFiles(cmd)
	case len(rest) > 0 && cfg.BuildDir != "":
		return misuse(cmd, "both a build command and -p are given; use one")
	case len(rest) > 0:
		cfg.Build = rest
		return nil
	case dash >= 0:
		return misuse(cmd, "nothing stands behind --; put the build command there: %s -- make", cmd.CommandPath())
	case cfg.BuildDir != "":
		return nil
	}
	return c.findDB(cmd)
}

// inputWords are the words that name the program again, without running a build.
func (c *common) inputWords() []string {
	cfg := &c.cfg
	switch {
	case cfg.BuildDir != "":
		return []string{"-p", cfg.BuildDir}
	case len(cfg.Files) > 0 && len(cfg.Flags) > 0:
		return slices.Concat(cfg.Files, []string{"--"}, cfg.Flags)
	}
	return cfg.Files
}

// checkFiles catches words that look like files but are not.
func (c *common) checkFiles(cmd *cobra.Command) error {
	for _, f := range c.cfg.Files {
		st, err := os.Stat(f)
		switch {
		case err == nil && st.IsDir():
			return misuse(cmd, "%s is a directory; name files, or use -p %s if it holds compile_commands.json", f, f)
		case errors.Is(err, os.ErrNotExist) && filepath.Ext(f) == "" && !strings.ContainsRune(f, filepath.Separator):
			return misuse(cmd, "%s: no such file; to check what a build compiles put it behind --: %s -- %s", f, cmd.CommandPath(), strings.Join(c.cfg.Files, " "))
		}
	}
	return nil
}

// findDB looks for a compilation database where projects keep it.
func (c *common) findDB(cmd *cobra.Command) error {
	for _, dir := range []string{".", "build"} {
		file := filepath.Join(dir, "compile_commands.json")
		if st, err := os.Stat(file); err == nil && st.Mode().IsRegular() {
			c.cfg.BuildDir = dir
			if !c.quiet {
				fmt.Fprintf(cmd.ErrOrStderr(), "plumb: using %s\n", file)
			}
			return nil
		}
	}
	return misuse(cmd, "nothing to analyse: name files (%[1]s a.c b.c), a build (%[1]s -- make), or the directory of a compile_commands.json (%[1]s -p DIR)", cmd.CommandPath())
}

// flagError explains a flag that plumb does not know.
func flagError(cmd *cobra.Command, err error) error {
	if strings.HasPrefix(err.Error(), "unknown") && cmd.Flags().Lookup("build-dir") != nil {
		return misuse(cmd, "%w; compiler flags go behind --: %s a.c -- -Iinclude", err, cmd.CommandPath())
	}
	return misuse(cmd, "%w", err)
}
