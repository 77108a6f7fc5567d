package cc

// This file reads a compiler's command line: what it asks for, as far as
// instrumentation has to know.

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/capture"
)

// A line is what a command line asks for.
type line struct {
	inputs  int  // files, libraries, words for the linker
	sources int  // of them, those that are compiled
	headers int  // those that are preprocessed: sources, and assembler with macros
	asks    bool // asks clang about itself
	stop    stage

	lang         string // of the last -x
	foreign      bool   // for another machine, or another kind of program
	freestanding bool   // without a C library
	noLibs       bool   // -nostdlib and the like
	libc         bool   // -lc
	relocatable  bool   // -r
	static       bool
	shared       bool
	lines        debug // what debug information there will be
	sanitizers   []string
}

// A stage is where the compiler stops.
type stage uint8

const (
	atEnd        stage = iota // a program or shared library
	atObject                  // -c, -S: code
	atPreprocess              // -E, -M: text
	atNoCode                  // -fsyntax-only: nothing
)

// A debug says how much the user wants to know.
type debug uint8

const (
	unsaid debug = iota
	none
	some
)

// look reads the options of a command line.
func look(opts []capture.Option) line {
	var l line
	for _, o := range opts {
		if o.Input {
			l.input(o.Words[0])
			continue
		}
		w, arg := o.Words[0], ""
		if len(o.Words) == 2 {
			arg = o.Words[1]
		}
		l.option(w, arg)
	}
	return l
}

// option takes in one option.
func (l *line) option(w, arg string) {
	if s, ok := stages[w]; ok {
		// -E and -M win over -c, whatever the order.
		l.stop = max(l.stop, s)
		return
	}
	switch {
	case asking[w], strings.HasPrefix(w, "-print-"), strings.HasPrefix(w, "--print-"), strings.HasPrefix(w, "--help"):
		l.asks = true
	case strings.HasPrefix(w, "-x"):
		l.lang = strings.TrimPrefix(w, "-x") + arg
		if l.lang == "none" {
			l.lang = ""
		}
	case w == "-l" || strings.HasPrefix(w, "-l"):
		l.inputs++
		l.libc = l.libc || w+arg == "-lc"
	case strings.HasPrefix(w, "-Wl,"):
		l.inputs++
		for _, part := range strings.Split(w, ",")[1:] {
			l.linker(part)
		}
	case w == "-Xlinker":
		l.inputs++
		l.linker(arg)
	case w == "-r":
		l.relocatable = true
	case w == "-nostdlib", w == "-nodefaultlibs", w == "-nolibc":
		l.noLibs = true
	case w == "-ffreestanding", w == "-mkernel", w == "-fapple-kext", w == "-mcmodel=kernel":
		l.freestanding = true
	case w == "-fhosted":
		l.freestanding = false
	case w == "-static", w == "--static", w == "-static-pie":
		l.static = true
	case w == "-shared", w == "--shared":
		l.shared = true
	case w == "-m32", w == "-m16", w == "-mx32":
		l.foreign = true
	case w == "-m64":
		l.foreign = false
	case w == "-target", w == "--target":
		l.foreign = !native(arg)
	case strings.HasPrefix(w, "--target="), strings.HasPrefix(w, "-target="):
		_, t, _ := strings.Cut(w, "=")
		l.foreign = !native(t)
	case strings.HasPrefix(w, "-fopenmp-targets="), strings.HasPrefix(w, "--offload-arch="), w == "--hip-link":
		l.foreign = true
	case strings.HasPrefix(w, "-fsanitize="):
		l.sanitizers = append(l.sanitizers, strings.Split(w[len("-fsanitize="):], ",")...)
	case strings.HasPrefix(w, "-fno-sanitize="):
		for _, s := range strings.Split(w[len("-fno-sanitize="):], ",") {
			l.sanitizers = slices.DeleteFunc(l.sanitizers, func(t string) bool { return s == t || s == "all" })
		}
	case strings.HasPrefix(w, "-g"):
		l.debug(w)
	}
}

// stages are the options that say where to stop.
var stages = map[string]stage{
	"-c": atObject, "--compile": atObject, "-S": atObject, "--assemble": atObject, "-emit-llvm": atObject,
	"-E": atPreprocess, "--preprocess": atPreprocess, "-M": atPreprocess, "--dependencies": atPreprocess,
	"-MM": atPreprocess, "--user-dependencies": atPreprocess,
	"-fsyntax-only": atNoCode, "--analyze": atNoCode, "-emit-ast": atNoCode, "--precompile": atNoCode,
	"-module-file-info": atNoCode, "-verify-pch": atNoCode, "--migrate": atNoCode, "-extract-api": atNoCode,
	"-emit-interface-stubs": atNoCode, "-rewrite-objc": atNoCode,
}

// asking are questions about clang itself.
var asking = map[string]bool{
	"--version": true, "-dumpversion": true, "-dumpmachine": true, "-dumpspecs": true, "-help": true, "-cc1": true, "-cc1as": true,
	"--autocomplete": true, "-cc1gen-reproducer": true,
}

// linker takes in one word for the linker.
func (l *line) linker(word string) {
	switch word {
	case "-r", "-i", "--relocatable", "-relocatable":
		l.relocatable = true
	}
}

// native reports whether a target is the machine that the runtime is for.
func native(triple string) bool {
	arch, rest, _ := strings.Cut(triple, "-")
	return (arch == "x86_64" || arch == "amd64") && strings.Contains(rest, "linux") &&
		!strings.Contains(rest, "musl") && !strings.Contains(rest, "android") && !strings.Contains(rest, "x32")
}

// debug takes in an option that starts with -g. Most only change the form.
func (l *line) debug(w string) {
	switch {
	case w == "-g0" || w == "-ggdb0":
		l.lines = none
	case w == "-g" || w == "-g1" || w == "-g2" || w == "-g3" || w == "-gmlt" || w == "-gdwarf" || w == "-gcodeview" ||
		strings.HasPrefix(w, "-ggdb") || strings.HasPrefix(w, "-glldb") || strings.HasPrefix(w, "-gline-") ||
		strings.HasPrefix(w, "-gdwarf-") && !strings.HasPrefix(w, "-gdwarf-aranges"):
		l.lines = some
	}
}

// What inputs are, by extension.
var (
	sourceExts = map[string]bool{
		".c": true, ".C": true, ".cc": true, ".cp": true, ".cpp": true, ".cxx": true, ".CPP": true, ".CXX": true, ".c++": true, ".C++": true,
		".cppm": true, ".ccm": true, ".cxxm": true, ".c++m": true, ".ixx": true, ".m": true, ".M": true, ".mm": true,
		".i": true, ".ii": true, ".mi": true, ".mii": true, ".bc": true, ".ll": true,
	}
	headerExts = map[string]bool{".h": true, ".H": true, ".hh": true, ".hp": true, ".hpp": true, ".hxx": true, ".h++": true}
	// Code for graphics processors is compiled once for them.
	otherExts = map[string]bool{".cu": true, ".cui": true, ".hip": true, ".cl": true, ".clcpp": true}
)

// input takes in one input file.
func (l *line) input(name string) {
	l.inputs++
	switch l.kind(name) {
	case "source":
		l.sources++
		l.headers++
	case "header": // it becomes a precompiled one
		l.headers++
		l.stop = max(l.stop, atNoCode)
	case "macros":
		l.headers++
	case "other":
		l.foreign = true
	}
}

// kind says what an input is.
func (l *line) kind(name string) string {
	ext := filepath.Ext(name)
	switch lang := l.lang; {
	case lang == "" && (sourceExts[ext] || name == "-"):
		return "source"
	case lang == "" && headerExts[ext], strings.HasSuffix(lang, "-header"):
		return "header"
	case lang == "" && (ext == ".S" || ext == ".sx"), lang == "assembler-with-cpp":
		return "macros"
	case lang == "" && otherExts[ext], lang == "cuda", lang == "hip", lang == "cl", lang == "clcpp":
		return "other"
	case lang == "", lang == "assembler":
		return "" // for the assembler or the linker
	}
	return "source"
}
