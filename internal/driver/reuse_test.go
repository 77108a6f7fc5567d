package driver

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/patch"
)

// statement matches lines of a body behind which another statement may stand.
var statement = regexp.MustCompile(`(?m)^[ \t]+[^\n]*;$`)

// TestReuse: what is taken over from the program as it is changes nothing of what is
// found in a patched one.
func TestReuse(t *testing.T) {
	files, err := filepath.Glob("../leak/testdata/*.c")
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	ctx := context.Background()
	taken, looks, differ := 0, 0, 0
	for i := 0; i+2 < len(files) && looks < 16; i += 2 {
		a, err := os.ReadFile(files[i])
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(files[i+1])
		if err != nil {
			t.Fatal(err)
		}
		tr, _ := open(t, Config{Files: []string{"a.c", "b.c"}, Jobs: 2}, "a.c", string(a), "b.c", string(b))
		tr.base.cfg.Timing = func(st Stat) {
			if strings.Contains(st.Counts, "as before") && !strings.Contains(st.Counts, ", 0 functions as before") {
				taken++
			}
		}
		base := append(tr.Base().Findings[:0:0], tr.Base().Findings...)
		text, err := tr.Read(tr.path("a.c"))
		if err != nil {
			t.Fatal(err)
		}
		places := statement.FindAllIndex(text, -1)
		for range 3 {
			at := places[r.IntN(len(places))]
			edit := patch.Edit{File: tr.path("a.c"), Start: at[1], End: at[1], New: "\n\t" + []string{"abort();", "free(0);", ";\n\t;"}[r.IntN(3)]}
			if r.IntN(3) == 0 {
				edit = patch.Edit{File: tr.path("a.c"), Start: at[0], End: at[1], New: ";"}
			}
			p, err := patch.New([]patch.Edit{edit, {File: tr.path("a.c"), New: "#include <stdlib.h>\n"}}, tr.Read)
			if err != nil {
				t.Fatal(err)
			}
			quick, err := tr.Look(ctx, p)
			if err != nil {
				t.Fatal(err)
			}
			if len(quick.Errors) > 0 {
				continue // not everything may stand everywhere
			}
			tr.afresh = true
			whole, err := tr.Look(ctx, p)
			tr.afresh = false
			if err != nil {
				t.Fatal(err)
			}
			looks++
			if !reflect.DeepEqual(quick.Findings, whole.Findings) {
				t.Errorf("%s, %s, %+v:\nquick %+v\nwhole %+v", files[i], files[i+1], edit, quick.Findings, whole.Findings)
			}
			if !reflect.DeepEqual(base, tr.Base().Findings) {
				t.Fatal("the findings of the program itself are others now")
			}
			if len(base) != len(whole.Findings) {
				differ++
			}
		}
	}
	t.Logf("%d looks, %d with something taken over, %d with other findings", looks, taken, differ)
	if looks < 12 || taken < looks/2 || differ == 0 {
		t.Errorf("%d looks, %d with something taken over, %d with other findings", looks, taken, differ)
	}
}

// TestReuseAcrossUnits: a change of a function shows in its callers, however far.
func TestReuseAcrossUnits(t *testing.T) {
	tr, _ := open(t, Config{Files: []string{"a.c", "b.c", "c.c"}},
		"a.c", "#include <stdlib.h>\nvoid put(char *p);\nvoid top(void) { put(malloc(1)); }\n",
		"b.c", "void drop(char *p);\nvoid put(char *p) { drop(p); }\n",
		"c.c", "#include <stdlib.h>\n\nvoid drop(char *p) { (void)p; }\nvoid other(void) { char *q = malloc(1); (void)q; }\nvoid gone(char *p) { free(p); }\n")
	if n := len(tr.Base().Findings); n != 2 {
		t.Fatalf("%d findings", n)
	}
	var counts []string
	tr.base.cfg.Timing = func(st Stat) {
		if st.Name == "leak" {
			counts = append(counts, st.Counts)
		}
	}
	wantText(t, "released", tr.kinds(tr.replace("c.c", "(void)p", "free(p)")), "leak-forgotten")
	wantText(t, "only moved", tr.kinds(tr.replace("c.c", "\n\n", "\n\n\n\n")), "leak-lost; leak-forgotten")
	wantText(t, "of its own", tr.kinds(tr.replace("c.c", "(void)q", "free(q)")), "leak-lost")
	for i, want := range []string{"4 functions as before", "7 functions as before", "6 functions as before"} {
		if !strings.HasSuffix(counts[i], " "+want) {
			t.Errorf("look %d: %s, want %s", i, counts[i], want)
		}
	}
}
