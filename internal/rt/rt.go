// Package rt holds the sources of the two parts of plumb that run inside the
// user's compiler and program: the pass (C++, a plugin of LLVM) and the runtime
// (C). Package toolchain builds them on first use.
//
// What they agree on is csrc/abi.h; read it first.
package rt

import "embed"

// Sources holds csrc, the runtime, and pass, the plugin.
//
//go:embed csrc pass
var Sources embed.FS
