package capture

// This file is the table of compiler options: how many words each has, and
// whether it is kept for the bitcode compilation.
//
// Kept is what changes the meaning of the program: macros, include paths, the
// language and its dialect, the target. Dropped is what says where output
// goes, how it is optimised, linked or checked, or what is printed meanwhile.
// An option that is not in the table is kept; if clang refuses it, it is
// dropped then (see refused.go).

import "strings"

// A flag is one option with its separate arguments: {"-I", "inc"} or {"-Iinc"}.
type flag []string

// A class says what to do with an option.
type class uint8

const (
	keep      class = iota + 1 // part of the program's meaning
	drop                       // irrelevant or harmful for bitcode
	link                       // for the linker: dropped
	noUnit                     // preprocesses or only lists dependencies: nothing is compiled
	language                   // -x
	forced                     // -include
	toClang                    // -Xclang: one more word for the compiler proper
	toCPP                      // -Wp, and -Xpreprocessor
	inputFile                  // not an option
)

// separate lists the options whose argument may be the next word. One that
// is also given joined (-Ifoo) is found in joined too.
var separate = map[string]class{
	"-D": keep, "-U": keep, "-I": keep, "-imacros": keep, "-isystem": keep, "-iquote": keep, "-idirafter": keep,
	"-iprefix": keep, "-iwithprefix": keep, "-iwithprefixbefore": keep, "-isysroot": keep, "--sysroot": keep,
	"-iframework": keep, "-F": keep, "-cxx-isystem": keep, "-isystem-after": keep, "-imultilib": keep,
	"-target": keep, "--target": keep, "-arch": keep, "-A": keep, "-ivfsoverlay": keep, "-gcc-toolchain": keep,
	"-stdlib++-isystem": keep, "-resource-dir": drop, "-B": drop, "--param": drop, "-mllvm": drop,
	"-include": forced, "--include": forced, "-include-pch": drop, "-x": language, "-Xclang": toClang, "-Xpreprocessor": toCPP,
	"-o": drop, "-MF": drop, "-MT": drop, "-MQ": drop, "-MJ": drop, "-aux-info": drop, "-dumpbase": drop,
	"-dumpbase-ext": drop, "-dumpdir": drop, "-wrapper": drop, "-Xassembler": drop, "-Xanalyzer": drop,
	"-serialize-diagnostics": drop, "--serialize-diagnostics": drop, "-index-store-path": drop, "-G": drop,
	"-L": link, "-l": link, "-T": link, "-u": link, "-z": link, "-e": link, "-Xlinker": link, "-framework": link,
	"-rpath": link, "-R": link, "-install_name": link, "-soname": link,
}

// joined lists options whose argument follows in the same word. The longest
// prefix that fits decides.
var joined = map[string]class{
	"-D": keep, "-U": keep, "-I": keep, "-F": keep, "-A": keep, "-isystem": keep, "-iquote": keep, "-idirafter": keep,
	"-x": language, "--include=": forced, "-Wp,": toCPP,
	// Where output goes and how the compiler is driven.
	"-o": drop, "-MF": drop, "-MT": drop, "-MQ": drop, "-MJ": drop, "-save-temps": drop, "--save-temps": drop, "-dump": drop,
	"-B": drop, "-specs=": drop, "--specs=": drop, "-fuse-ld=": link, "-resource-dir=": drop, "--param=": drop,
	"-print-": noUnit, "--print-": noUnit, "-fplugin": drop, "-fpass-plugin=": drop, "-fcrash-diagnostics": drop,
	"-fno-crash-diagnostics": drop, "-gen-": drop, "-fmodule-mapper=": drop, "-fdeps-": drop, "-fdump-": drop,
	"-fcallgraph-info": drop, "-fstack-usage": drop, "-fsave-optimization-record": drop, "-foptimization-record": drop,
	// Optimisation and debugging information are ours to choose. A prefix
	// map would make positions name files that are not there.
	"-O": drop, "-g": drop, "-flto": drop, "-fno-lto": drop, "-ffat-lto-objects": drop, "-fno-fat-lto-objects": drop,
	"-fwhole-program": drop, "-fthin": drop, "-fdebug-": drop, "-fno-debug-": drop, "-fembed-bitcode": drop,
	"-ffile-prefix-map=": drop, "-fvar-tracking": drop, "-fno-var-tracking": drop, "-feliminate-unused-debug": drop,
	"-fno-eliminate-unused-debug": drop, "-fstandalone-debug": drop, "-flimit-debug-info": drop, "-frecord-": drop,
	"-fdiscard-value-names": drop, "-fno-discard-value-names": drop, "-fsplit-dwarf": drop,
	// Instrumentation would put code into the program that nobody wrote.
	"-fsanitize": drop, "-fno-sanitize": drop, "-fprofile": drop, "-fno-profile": drop, "-fcoverage": drop,
	"-ftest-coverage": drop, "-finstrument": drop, "-fxray": drop, "-fcs-profile": drop, "-fauto-profile": drop,
	"-fbranch-probabilities": drop, "-fcondition-coverage": drop, "-fpatchable": drop, "-fmemory-profile": drop,
	// What is printed: all warnings are off.
	"-W": drop, "-Wa,": drop, "-Wl,": link, "-R": drop, "-fdiagnostics": drop, "-fno-diagnostics": drop,
	"-fmessage-length": drop, "-fcolor-": drop, "-fno-color-": drop, "-fansi-escape": drop, "-fcaret": drop,
	"-fno-caret": drop, "-fshow-": drop, "-fno-show-": drop, "-ferror-limit": drop, "-fmax-errors": drop,
	"-ftime-": drop, "-fverbose-asm": drop, "-fanalyzer": drop, "-pedantic": drop, "--warn-": drop,
	// For the linker.
	"-L": link, "-l": link, "-T": link, "-u": link, "-z": link, "-static": link, "-shared": link, "-rpath": link,
}

// exact lists options of one word.
var exact = map[string]class{
	"-ftrapv": drop, "-c": drop, "-S": drop, "-E": noUnit, "-M": noUnit, "-MM": noUnit, "-MD": drop, "-MMD": drop, "-MP": drop,
	"-MG": drop, "-MV": drop, "-emit-llvm": drop, "-emit-ast": noUnit, "-fsyntax-only": noUnit, "--analyze": noUnit,
	"--preprocess": noUnit, "--compile": drop, "--assemble": drop, "-": inputFile, "--": drop, "-w": drop,
	"-v": drop, "-###": noUnit, "--verbose": drop, "-pipe": drop, "-p": drop, "-pg": drop, "--coverage": drop, "-coverage": drop,
	"-s": link, "-pie": link, "-no-pie": link, "-nopie": link, "-static-pie": link, "-rdynamic": link, "-r": link, "-Xs": link, "-nostdlib": link,
	"-nostartfiles": link, "-nodefaultlibs": link, "-nolibc": link, "-nostdlib++": link, "-symbolic": link,
	"-no-integrated-cpp": drop, "-no-canonical-prefixes": drop, "-integrated-as": drop, "-no-integrated-as": drop,
	"-fintegrated-as": drop, "-fno-integrated-as": drop, "-Qunused-arguments": drop, "-Qn": drop, "-Qy": drop,
	"--version": noUnit, "--help": noUnit, "-dumpmachine": noUnit, "-dumpversion": noUnit, "-dumpspecs": noUnit,
	"-dM": noUnit, "-gcc-toolchain": keep,
	// These belong to libtool and may stand among the compiler's.
	"-prefer-pic": drop, "-prefer-non-pic": drop, "-no-suppress": drop,
}

// A gcc option that clang has under another meaning, or that starts like one
// in joined, is named here to keep it.
var keptThough = []string{"-fmodule-map-file", "-fmodules", "-Xarch_", "-gcc-toolchain", "-fdebug-default-version"}

// classify says what the option at the start of args is and how many words
// it takes.
func classify(args []string) (class, int) {
	a := args[0]
	if len(a) < 2 || a[0] != '-' {
		return inputFile, 1
	}
	if c, ok := exact[a]; ok {
		return c, 1
	}
	if c, ok := separate[a]; ok {
		return c, min(2, len(args))
	}
	for _, p := range keptThough {
		if strings.HasPrefix(a, p) {
			return keep, 1
		}
	}
	for n := len(a); n > 1; n-- {
		if c, ok := joined[a[:n]]; ok {
			return c, 1
		}
	}
	return keep, 1
}

// isFortify reports whether the flag turns on glibc's checked functions.
// They need __OPTIMIZE__: without it the macro only draws a #warning.
func isFortify(f flag) bool {
	v := strings.TrimPrefix(f[0], "-D")
	if f[0] == "-D" && len(f) == 2 {
		v = f[1]
	}
	name, _, _ := strings.Cut(v, "=")
	return name == "_FORTIFY_SOURCE" && strings.HasPrefix(f[0], "-D")
}

// isPIC reports whether the flag only asks for position-independent code:
// libtool compiles every source twice, with and without.
func isPIC(f flag) bool {
	switch f[0] {
	case "-fPIC", "-fpic", "-fPIE", "-fpie", "-fno-pic", "-fno-PIC", "-fno-pie", "-fno-PIE", "-DPIC":
		return true
	}
	return f[0] == "-D" && len(f) == 2 && f[1] == "PIC"
}
