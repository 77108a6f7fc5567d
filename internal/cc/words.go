package cc

// This file adds what makes a program an instrumented one.

import (
	"slices"

	"github.com/plumb-project/plumb/internal/toolchain"
)

// ownMalloc are the sanitizers that have an allocator of their own: a program can
// have one.
var ownMalloc = []string{"address", "hwaddress", "leak", "memory", "thread", "kernel-address", "kernel-hwaddress", "kernel-memory", "scudo", "memtag", "memtag-heap", "dataflow"}

// instruments reports whether there is anything to add.
func (l *line) instruments() bool {
	return l.inputs > 0 && !l.asks && !l.foreign && (l.compiles() || l.links() || l.preprocesses()) &&
		!slices.ContainsFunc(l.sanitizers, func(s string) bool { return slices.Contains(ownMalloc, s) })
}

// hosted reports whether there will be a C library. libtool links C++ libraries
// with -nostdlib and names all of them itself.
func (l *line) hosted() bool { return !l.freestanding && (!l.noLibs || l.libc) }

// compiles reports whether code is made that can be instrumented.
func (l *line) compiles() bool { return l.sources > 0 && l.stop <= atObject && l.hosted() }

// preprocesses reports whether headers are looked for.
func (l *line) preprocesses() bool { return l.headers > 0 && l.hosted() }

// links reports whether the runtime belongs into what is linked. A shared
// library that is linked with -static gets it from the program that loads it.
func (l *line) links() bool {
	return l.inputs > 0 && l.stop == atEnd && l.hosted() && !l.relocatable && !(l.static && l.shared)
}

// words are the user's words with ours. Ours come first, where those of the user
// are stronger, and where a -x or -Wl,--as-needed of the user does not touch them.
func (l *line) words(kit *toolchain.Kit, args []string) []string {
	out := []string{"--start-no-unused-arguments"}
	if l.preprocesses() {
		// Behind all others: a plumb.h of the program is the program's.
		out = append(out, "-idirafter", kit.Include())
	}
	if l.compiles() {
		if l.lines == unsaid {
			out = append(out, "-g")
		}
		out = append(out, "-fno-discard-value-names", "-fpass-plugin="+kit.Plugin)
	}
	switch {
	case !l.links():
	case l.static:
		out = append(out, "-Wl,@"+kit.Wraps(), "-Wl,--whole-archive", kit.Static(), "-Wl,--no-whole-archive", "-lpthread", "-ldl")
	default:
		out = append(out, "-Wl,--push-state,--no-as-needed", kit.Shared(), "-Wl,--pop-state", "-Xlinker", "-rpath", "-Xlinker", kit.Dir)
	}
	out = append(out, "--end-no-unused-arguments")
	if l.compiles() && l.lines == none {
		// Without line numbers there is no place to name.
		i := slices.Index(args, "--")
		if i < 0 {
			i = len(args)
		}
		args = slices.Insert(slices.Clone(args), i, "-gline-tables-only")
	}
	return append(out, args...)
}
