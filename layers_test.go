// Package plumb_test guards what holds for the repository as a whole.
package plumb_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/plumb-project/plumb"

// layers says which packages of this module each package may import; layers
// below come first. A change that needs another edge changes this table and
// says why.
var layers = map[string][]string{
	// Layer 0: text, graphs, library knowledge, bitcode, conditions. Nothing of plumb below.
	"internal/source":  nil,
	"internal/graph":   nil,
	"internal/model":   nil,
	"internal/bitcode": nil,
	"internal/cond":    nil,
	"internal/event":   nil,
	"internal/patch":   nil,
	"internal/ast":     nil,

	// edit turns operations on trees into edits.
	"internal/edit": {"ast", "patch"},

	// Layer 1: the two forms everything is written against.
	"internal/report": {"source"},
	// ir's verifier checks that definitions dominate uses: graph.
	"internal/ir": {"source", "graph"},

	// Layer 2: from a build to a program.
	// toolchain builds the embedded sources of rt.
	"internal/rt":        nil,
	"internal/toolchain": {"source", "rt"},
	// capture asks toolchain for the clang to run.
	"internal/capture": {"source", "toolchain"},
	// cc reads compiler options with capture's table.
	"internal/cc": {"capture", "toolchain", "model"},
	// lower builds SSA, which needs dominance frontiers: graph.
	"internal/lower": {"bitcode", "ir", "source", "graph"},

	// solve asks what cond cannot answer of an external solver.
	"internal/solve": {"cond"},

	// Layer 3 and up: analysis.
	// callgraph asks model which library functions call what they are given.
	"internal/callgraph": {"ir", "graph", "model"},
	// modref unites what functions write along the call graph, components first: graph.
	"internal/modref": {"callgraph", "ir", "model", "graph"},
	// leak walks functions bottom up over the call graph, on graph's dominators; what
	// pointer, heap and useflow will hold is still inside it.
	"internal/leak": {"callgraph", "modref", "ir", "model", "graph", "report", "source"},

	// prove executes the paths of candidates: conditions are cond's, calls that it
	// does not go into write what modref says, solve has the last word.
	"internal/prove": {"leak", "modref", "cond", "solve", "callgraph", "ir", "model", "graph", "report", "source"},

	// own asks leak what calls make and release, and follows values by callgraph.
	"internal/own": {"leak", "callgraph", "ir", "model", "source"},

	// guard writes records into functions, and follows what they know along the lives
	// of objects.
	"internal/guard": {"ast", "edit", "leak", "ir", "patch", "source"},

	// slice follows the memory of findings through the program, calls by callgraph.
	"internal/slice": {"callgraph", "graph", "ir", "report", "source"},

	// suppress matches the calls of a report's frames.
	"internal/suppress": {"report"},
	// pinpoint turns what a run wrote into findings; suppress sees each block's own
	// calls, before blocks are merged.
	"internal/pinpoint": {"event", "report", "source", "suppress"},
	// run builds with cc, runs, and lets pinpoint read what the runtime wrote.
	"internal/run": {"capture", "cc", "event", "pinpoint", "report", "suppress", "toolchain"},

	// fix changes the source so that findings go away, and asks whoever gives it the
	// program to analyse the result.
	"internal/fix": {"ast", "edit", "guard", "ir", "leak", "model", "own", "patch", "report", "source"},

	// trial applies patches to a copy of the project.
	"internal/trial": {"patch"},

	// What the user sees.
	// render shows the diff of a fix.
	"internal/render": {"report", "source", "patch"},
	"internal/driver": {"capture", "toolchain", "bitcode", "lower", "ir", "callgraph", "modref", "solve", "leak", "model", "graph", "report", "source", "prove", "slice", "own", "patch", "fix", "ast", "trial"},
	// cli prints the pages about kinds of findings, which are embedded where they
	// are: docs/findings.
	"docs/findings": nil,
	"internal/cli":  {"driver", "fix", "patch", "cc", "run", "render", "report", "docs/findings"},
	"cmd/plumb":     {"cli"},
}

// testLayers lists packages that only tests may import; they may import
// anything.
var testLayers = map[string]bool{
	"internal/oracle":    true, // what other tools say of the same input
	"internal/plumbtest": true, // fixtures
	"internal/runtest":   true, // programs to run
	"internal/fixtest":   true, // programs to mend
}

// TestLayers fails on any import that is not in the table.
func TestLayers(t *testing.T) {
	for _, p := range list(t) {
		name, ok := strings.CutPrefix(p.ImportPath, module+"/")
		if !ok || testLayers[name] || strings.HasPrefix(name, "internal/tools/") {
			continue // the root holds tests alone; tools are no part of the product
		}
		allowed, ok := layers[name]
		if !ok {
			t.Errorf("%s is not in the table of layers", name)
			continue
		}
		for _, i := range p.Imports {
			dep, ok := strings.CutPrefix(i, module+"/")
			if !ok {
				continue
			}
			if testLayers[dep] {
				t.Errorf("%s imports %s, which is for tests", name, dep)
			} else if !slices.Contains(allowed, strings.TrimPrefix(dep, "internal/")) {
				t.Errorf("%s imports %s; its layer allows %v", name, dep, allowed)
			}
		}
		if slices.Contains(p.Imports, "C") {
			t.Errorf("%s uses cgo; plumb is one static binary", name)
		}
	}
}

// TestLayersAcyclic makes sure that the table itself has an order.
func TestLayersAcyclic(t *testing.T) {
	const open, done = 1, 2
	state := map[string]int{}
	var visit func(string)
	visit = func(p string) {
		switch state[p] {
		case open:
			t.Errorf("the table has a cycle through %s", p)
			return
		case done:
			return
		}
		state[p] = open
		for _, q := range layers[p] {
			visit("internal/" + q)
		}
		state[p] = done
	}
	for _, p := range slices.Sorted(maps.Keys(layers)) {
		visit(p)
	}
}

type goPackage struct {
	ImportPath string
	Imports    []string
}

// list asks the go command for the packages of the module.
func list(t *testing.T) []goPackage {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Imports", "./...")
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.Bytes())
	}
	var ps []goPackage
	for d := json.NewDecoder(&stdout); ; {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return ps
		} else if err != nil {
			t.Fatal(err)
		}
		ps = append(ps, p)
	}
}
