package cli

import (
	"bytes"
	"fmt"
	"testing"
)

func TestBar(t *testing.T) {
	var out bytes.Buffer
	b := newBar(&out)
	b.width = func() int { return 40 }
	step := func(do func(), want string) {
		t.Helper()
		out.Reset()
		do()
		if got := out.String(); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
	const clear = "\r\x1b[K"
	step(func() { fmt.Fprintln(b, "build output") }, "build output\n")
	step(func() { b.Start(4) }, clear+"[....................] 0/4 ")
	step(func() { b.Unit("/src/a.c") }, clear+"[....................] 0/4 a.c")
	step(func() { b.Done("/src/a.c") }, clear+"[#####...............] 1/4 a.c")
	step(func() { b.Unit("/src/a_very_long_name_of_a_file.c") }, clear+"[#####...............] 1/4 a_very_long_")
	step(func() { fmt.Fprintln(b, "note") }, clear+"note\n"+clear+"[#####...............] 1/4 a_very_long_")
	step(b.Finish, clear)
	step(b.Finish, "")
}
