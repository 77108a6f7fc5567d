package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/plumb-project/plumb/internal/oracle"
)

func TestDifferences(t *testing.T) {
	got := oracle.Counts{"same": {"add": 1}, "f": {"add": 1, "ret": 1}, "ours": {"ret": 1}}
	want := oracle.Counts{"same": {"add": 1}, "f": {"add": 2, "load": 1, "ret": 1}, "theirs": {"ret": 1}}
	diff := cmp.Diff([]string{
		"f: 0 load, llvm-dis has 1",
		"f: 1 add, llvm-dis has 2",
		"ours: 1 ret, llvm-dis has 0",
		"theirs: 0 ret, llvm-dis has 1",
	}, differences(got, want))
	if diff != "" {
		t.Error(diff)
	}
}
