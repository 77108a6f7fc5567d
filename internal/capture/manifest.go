package capture

// This file is the manifest of one job: what its unit read, and what came of
// it.
//
//	sum 5d41…
//	unit a077…
//	drop "-fipa-pta"
//	dep 9e10… "/home/u/p/a.c"
//	dep 77f2… "/usr/include/stdio.h"
//
// The first line is the digest of the rest. There may be several units, the
// newest first: whoever goes back and forth between two branches finds both.

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// maxEntries bounds the units of one manifest.
const maxEntries = 8

// hexDigits is the length of a digest.
const hexDigits = 64

type manifest []entry

// An entry is one compilation.
type entry struct {
	bitcode digest
	dropped []string // flags clang refused
	deps    []dep
}

type dep struct {
	path string
	sum  digest
}

// holds reports whether all files have the content they had.
func (e *entry) holds(d *digests) bool {
	for _, dep := range e.deps {
		if sum, err := d.of(dep.path); err != nil || sum != dep.sum {
			return false
		}
	}
	return len(e.deps) > 0
}

// paths are the files that were read.
func (e *entry) paths() []string {
	var out []string
	for _, d := range e.deps {
		out = append(out, d.path)
	}
	return out
}

// with puts an entry in front and drops the oldest.
func (m manifest) with(e entry) manifest {
	out := manifest{e}
	for _, o := range m {
		if len(out) < maxEntries && !o.same(e) {
			out = append(out, o)
		}
	}
	return out
}

func (e entry) same(o entry) bool {
	if len(e.deps) != len(o.deps) {
		return false
	}
	for i := range e.deps {
		if e.deps[i] != o.deps[i] {
			return false
		}
	}
	return true
}

func (m manifest) encode() []byte {
	var b strings.Builder
	for _, e := range m {
		fmt.Fprintf(&b, "unit %s\n", e.bitcode)
		for _, d := range e.dropped {
			fmt.Fprintf(&b, "drop %s\n", strconv.Quote(d))
		}
		for _, d := range e.deps {
			fmt.Fprintf(&b, "dep %s %s\n", d.sum, strconv.Quote(d.path))
		}
	}
	return []byte("sum " + string(digestOf([]byte(b.String()))) + "\n" + b.String())
}

var errManifest = errors.New("damaged manifest")

func readManifest(path string) (manifest, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parseManifest(string(b))
}

func parseManifest(s string) (manifest, error) {
	first, rest, _ := strings.Cut(s, "\n")
	if first != "sum "+string(digestOf([]byte(rest))) {
		return nil, errManifest
	}
	var m manifest
	for line := range strings.Lines(rest) {
		kind, arg, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !ok || kind != "unit" && len(m) == 0 {
			return nil, errManifest
		}
		switch kind {
		case "unit":
			if len(arg) != hexDigits {
				return nil, errManifest
			}
			m = append(m, entry{bitcode: digest(arg)})
		case "drop":
			d, err := strconv.Unquote(arg)
			if err != nil {
				return nil, errManifest
			}
			e := &m[len(m)-1]
			e.dropped = append(e.dropped, d)
		case "dep":
			sum, name, _ := strings.Cut(arg, " ")
			name, err := strconv.Unquote(name)
			if err != nil {
				return nil, errManifest
			}
			e := &m[len(m)-1]
			e.deps = append(e.deps, dep{name, digest(sum)})
		default:
			return nil, errManifest
		}
	}
	return m, nil
}
