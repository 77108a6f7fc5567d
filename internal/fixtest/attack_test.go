package fixtest

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/fix"
)

// TestAttack puts releases at random places of random programs: those that are
// proved to be right must not break anything.
func TestAttack(t *testing.T) {
	for i := range uint64(*seeds) {
		t.Run(fmt.Sprint(*first+i), func(t *testing.T) {
			t.Parallel()
			q := quick(t)
			p, err := RandomProgram(*first+i, *runs, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			trial, err := q.Try(t.Context(), p, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			s, _, err := p.Open(t.Context(), p.Dir)
			if err != nil {
				t.Fatal(err)
			}
			patches, err := Releases(Random(*first+i), filepath.Join(p.Dir, p.Name), *attacks, rand.New(rand.NewPCG(*first+i, 2)))
			if err != nil {
				t.Fatal(err)
			}
			proved, refused := 0, map[string]int{}
			defer func() { t.Logf("%d proved, refused: %v", proved, refused) }()
			for _, attack := range patches {
				var diff bytes.Buffer
				if err := attack.Diff(&diff, p.Dir); err != nil {
					t.Fatal(err)
				}
				if err := fix.Prove(t.Context(), s, attack, nil); err != nil {
					refused[err.Error()]++
					continue
				}
				made := &Patch{Diff: diff.Bytes()}
				r, err := trial.Make(t.Context(), func(context.Context, *Program, string) (*Patch, error) { return made, nil })
				if err != nil {
					t.Fatal(err)
				}
				proved++
				if len(r.Problems) > 0 {
					t.Errorf("proved, and wrong: %s\n%s", strings.Join(r.Problems, "\n"), diff.Bytes())
					keep(t, p, made)
				}
			}
		})
	}
}
