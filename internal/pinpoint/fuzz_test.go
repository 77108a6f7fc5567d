package pinpoint

import (
	"bytes"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/event"
)

// Whatever a file says, findings come out of it whole: nothing is counted twice, and
// nothing is lost on the way.
func FuzzFindings(f *testing.F) {
	f.Add([]byte("plumb-report\t1\nprocess\t7\t1\t/src/prog\texit\t0\n" + strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(sites), " ", "\t"), "\n\t", "\n") +
		"\nblock\tlost\t1\t16\t4\t7\t1\t0\t0\t0\nblock\tindirect\t1\t8\t6\t0\t0\t0\t0\t1\nblock\tforgotten\t1\t8\t6\t0\t0\t9\t1\t0\nend\n"))
	f.Add([]byte("plumb-report\t1\npc\t2\t1\t10\tf\nnode\t1\t1\t2\nblock\tindirect\t1\t1\t1\t2\t1\t2\t1\t1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := event.Read(bytes.NewReader(data))
		if err != nil || len(r.Modules) > 0 || len(r.Code) > 1 {
			return // files would be opened
		}
		var want, got int64
		for _, b := range r.Blocks {
			if b.Count > 1<<30 || b.Bytes > 1<<30 {
				return
			}
			want += b.Count
		}
		for _, f := range Findings([]*event.Report{r}, Config{DebugDirs: []string{}}).Findings {
			owned, _ := f.Run.OwnedBlocks()
			got += f.Run.Blocks + owned
			if f.Message() == "" || f.Kind.Rule() == "" {
				t.Errorf("%+v", f)
			}
		}
		if got != want {
			t.Errorf("%d blocks came out of %d", got, want)
		}
	})
}
