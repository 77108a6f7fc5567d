package main

// This file says how each mode builds a program and runs it.

import (
	"slices"
	"strings"
)

// A mode is one way to build and run programs.
type mode struct {
	name, about string
	cc, cxx     []string // the compilers
	flags       []string // for compiling and linking
	env         []string // of the run
	outer       []string // what the process is started by
	reported    bool     // tracks only what plumb check reports
	inner       []string // the command that runs the program
	once        bool     // too slow to be run more than once
	sign        string   // what it says on stderr when it finds a leak
	as          string   // runs what this mode has built
}

func modes(clang, plumb string) []mode {
	cxx := strings.Replace(clang, "clang", "clang++", 1)
	driver := func(m mode, options ...string) mode {
		env := append([]string{"env", "PLUMB_CLANG=" + clang}, options...)
		m.cc = append(env, plumb, "cc")
		m.cxx = append(slices.Clone(env), plumb, "c++")
		m.outer = []string{plumb, "run", "--kinds", "lost"}
		m.sign = "1 leak found"
		return m
	}
	return []mode{
		{name: "plain", about: "the program itself", cc: []string{clang}, cxx: []string{cxx}},
		driver(mode{name: "full", about: "`plumb run`: every block, every pointer that goes away"}),
		driver(mode{name: "last-use", about: "the same with `--last-use`"}, "PLUMB_PASS=last-use"),
		driver(mode{name: "reported", about: "`plumb run --only-reported` of what `plumb check` reports", reported: true}),
		{name: "leaksan", about: "LeakSanitizer, `-fsanitize=leak`", cc: []string{clang}, cxx: []string{cxx},
			flags: []string{"-fsanitize=leak"}, env: []string{"LSAN_OPTIONS=exitcode=0"}, sign: "detected memory leaks"},
		{name: "memcheck", about: "valgrind's memcheck, `--leak-check=full`, run once", as: "plain", once: true,
			inner: []string{"valgrind", "-q", "--leak-check=full"}, sign: "definitely lost"},
	}
}

// bars are what must hold.
var bars = []bar{
	{"full tracking, user time", ratioOf("full", user), 1.7, 2.5},
	{"only what was reported, user time", ratioOf("reported", user), 1.1, 0},
	{"full tracking, memory", ratioOf("full", peak), 1.6, 0},
	{"full tracking, build", ratioOf("full", build), 2.5, 0},
}
