// Plumb finds memory leaks in C and C++ programs.
//
// Run plumb help for how to use it.
package main

import (
	"os"

	"github.com/plumb-project/plumb/internal/cli"
)

func main() { os.Exit(cli.Main()) }
