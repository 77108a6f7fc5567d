package capture

// This file turns one compiler invocation into the units it compiles.

import (
	"path/filepath"
	"slices"
	"strings"
)

// A command is one invocation of a compiler, as it was given.
type command struct {
	dir  string   // absolute working directory
	argv []string // compiler first; response files may still be in it
	env  []string // NAME=value of the variables that change a compilation
}

// A job is one source file to compile to bitcode.
type job struct {
	name   string // absolute path of the source
	dir    string // where the compiler runs
	source string // as the command names it
	lang   string // argument of -x, "" = by extension
	driver driver
	flags  []flag   // those kept, in order
	env    []string // of command
	argv   []string // the command it comes from, response files expanded
}

// parsed is what a command line says.
type parsed struct {
	jobs  []job
	notes []string
}

// parse finds the units of a command. A command that compiles nothing (links,
// preprocesses, prints its version) has none.
func (c command) parse() (parsed, error) {
	argv, err := expandResponse(c.dir, c.argv)
	if err != nil || len(argv) == 0 {
		return parsed{}, err
	}
	argv = stripLaunchers(argv)
	p := lineParser{c: c, driver: driverOf(argv[0]), argv: argv}
	p.scan(argv[1:])
	if p.nothing {
		return parsed{notes: p.notes}, nil
	}
	if s := p.driver.std; s != "" && !slices.ContainsFunc(p.flags, isStd) {
		p.flags = append(p.flags, flag{s})
	}
	if t := p.driver.target; t != "" && !slices.ContainsFunc(p.flags, isTarget) {
		p.flags = append([]flag{{"--target=" + t}}, p.flags...)
	}
	for i := range p.jobs {
		p.jobs[i].flags = p.flags // the sources of one command share its options
	}
	return parsed{p.jobs, p.notes}, nil
}

func isStd(f flag) bool {
	return strings.HasPrefix(f[0], "-std=") || strings.HasPrefix(f[0], "--std=") || f[0] == "-ansi"
}

func isTarget(f flag) bool {
	return f[0] == "-target" || strings.HasPrefix(f[0], "--target") || strings.HasPrefix(f[0], "-target=")
}

// A lineParser walks over the words of one command.
type lineParser struct {
	c       command
	driver  driver
	argv    []string
	lang    string // of the last -x
	flags   []flag
	jobs    []job
	notes   []string
	nothing bool // -E, -M, --version
	onlyIn  bool // after "--": the rest are inputs
}

func (p *lineParser) scan(args []string) {
	for len(args) > 0 {
		if p.onlyIn {
			p.input(args[0])
			args = args[1:]
			continue
		}
		c, n := classify(args)
		f := flag(args[:n:n])
		args = args[n:]
		switch c {
		case inputFile:
			p.input(f[0])
		case noUnit:
			p.nothing = true
		case language:
			p.setLanguage(f)
		case forced:
			p.flags = append(p.flags, forcedInclude(f)...)
		case toClang:
			args = p.clangWord(f, args)
		case toCPP:
			p.preprocessor(f)
		case keep:
			if !isFortify(f) {
				p.flags = append(p.flags, f)
			}
		case drop, link:
			p.onlyIn = f[0] == "--"
		}
	}
}

func (p *lineParser) setLanguage(f flag) {
	p.lang = strings.TrimPrefix(f[0], "-x")
	if len(f) == 2 {
		p.lang = f[1]
	}
	if p.lang == "none" {
		p.lang = ""
	}
}

// forcedInclude hands -include to the compiler proper: the driver would look
// for a precompiled header beside it, and one made by gcc is an error.
func forcedInclude(f flag) []flag {
	name := strings.TrimPrefix(f[0], "--include=")
	if len(f) == 2 {
		name = f[1]
	}
	return []flag{{"-Xclang", "-include", "-Xclang", name}}
}

// clangWord takes "-Xclang word" and, where that word has an argument, the
// "-Xclang argument" which follows.
func (p *lineParser) clangWord(f flag, rest []string) []string {
	if len(f) < 2 {
		return rest
	}
	switch f[1] {
	case "-include", "-mllvm", "-load", "-add-plugin", "-plugin", "-include-pch", "-target-feature", "-fdebug-compilation-dir":
		if len(rest) >= 2 && rest[0] == "-Xclang" {
			f = append(slices.Clone(f), rest[:2]...)
			rest = rest[2:]
		}
	}
	switch f[1] {
	case "-include", "-target-feature":
		p.flags = append(p.flags, f)
	case "-load", "-add-plugin", "-plugin", "-include-pch", "-mllvm", "-fdebug-compilation-dir", "-disable-llvm-passes",
		"-disable-O0-optnone", "-no-opaque-pointers", "-emit-llvm", "-fno-pch-timestamp", "-verify":
		// Plugins and precompiled headers belong to another compiler.
	default:
		if !strings.HasPrefix(f[1], "-plugin-arg-") && !strings.HasPrefix(f[1], "-debug-info-kind") {
			p.flags = append(p.flags, f)
		}
	}
	return rest
}

// preprocessor takes "-Wp,-MD,file,-DX" or "-Xpreprocessor word". Dependency
// output is dropped with the file that follows it.
func (p *lineParser) preprocessor(f flag) {
	words := strings.Split(strings.TrimPrefix(f[0], "-Wp,"), ",")
	if len(f) == 2 {
		words = f[1:]
	}
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == "-MD" || w == "-MMD" || w == "-MF" || w == "-MT" || w == "-MQ":
			i++
		case strings.HasPrefix(w, "-M") || isFortify(flag{w}) || !strings.HasPrefix(w, "-"):
		default:
			p.flags = append(p.flags, flag{"-Xpreprocessor", w})
		}
	}
}

// input adds a unit if the word names a source file.
func (p *lineParser) input(word string) {
	if word == "-" || word == "/dev/null" || strings.HasPrefix(word, "@") {
		return
	}
	lang := p.lang
	if lang == "" {
		lang = extensions[filepath.Ext(word)]
	}
	switch {
	case lang == "assembler" || lang == "assembler-with-cpp":
		p.notes = append(p.notes, absolute(p.c.dir, word)+": assembler source, not analysed")
	case compiles[lang]:
		p.jobs = append(p.jobs, job{
			name: absolute(p.c.dir, word), dir: p.c.dir, source: word, lang: p.lang,
			driver: p.driver, env: p.c.env, argv: p.argv,
		})
	}
}

// extensions gives the language that gcc and clang see in a file's name.
var extensions = map[string]string{
	".c": "c", ".i": "cpp-output",
	".cc": "c++", ".cp": "c++", ".cxx": "c++", ".cpp": "c++", ".CPP": "c++", ".c++": "c++", ".C": "c++", ".ii": "c++-cpp-output",
	".cppm": "c++-module", ".ixx": "c++-module", ".ccm": "c++-module", ".cxxm": "c++-module", ".c++m": "c++-module",
	".m": "objective-c", ".mi": "objective-c-cpp-output", ".M": "objective-c++", ".mm": "objective-c++", ".mii": "objective-c++-cpp-output",
	".s": "assembler", ".S": "assembler-with-cpp", ".sx": "assembler-with-cpp",
	".h": "c-header", ".hh": "c++-header", ".H": "c++-header", ".hp": "c++-header", ".hxx": "c++-header",
	".hpp": "c++-header", ".HPP": "c++-header", ".h++": "c++-header", ".tcc": "c++-header", ".ll": "ir",
}

// compiles lists the languages whose files are units.
var compiles = map[string]bool{
	"c": true, "cpp-output": true, "c++": true, "c++-cpp-output": true, "c++-module": true, "ir": true,
	"objective-c": true, "objective-c-cpp-output": true, "objective-c++": true, "objective-c++-cpp-output": true,
}
