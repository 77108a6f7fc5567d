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

// PassFlags compile and link the plugin, with the clang that will load it. The
// directory of LLVM's headers comes on top. Debian's LLVM has no run-time type
// information; a plugin that has it does not load.
var PassFlags = []string{
	"-std=c++17", "-O1", "-fPIC", "-fno-rtti", "-fno-exceptions",
	"-D__STDC_CONSTANT_MACROS", "-D__STDC_FORMAT_MACROS", "-D__STDC_LIMIT_MACROS",
}

// RuntimeFlags compile the runtime. It is the program's malloc: without
// -fno-builtin clang would write calls of malloc for its own body of calloc.
var RuntimeFlags = []string{
	"-std=gnu11", "-O2", "-g1", "-fPIC", "-fvisibility=hidden", "-fno-builtin", "-ftls-model=initial-exec", "-fexceptions",
}

// StaticFlags are for libplumb_rt.a on top: there is no next definition of a
// function that dlsym could find.
var StaticFlags = []string{"-DPLUMB_STATIC"}

// RuntimeLinkFlags link libplumb_rt.so. Programs find it by its name, so that one
// that is preloaded is not loaded again.
var RuntimeLinkFlags = []string{"-shared", "-Wl,-soname,libplumb_rt.so", "-Wl,-z,now", "-Wl,-z,nodelete", "-lpthread", "-ldl"}
