// This file draws progress on a terminal.

package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/term"
)

// A bar is the one who writes to stderr during a run: it draws how many units
// are done and which one is being worked on, and gets out of the way of
// everything else that is written there.
//
//	[##########..........] 12/24 parse.c
type bar struct {
	mu    sync.Mutex
	w     io.Writer
	width func() int // columns of the terminal
	total int        // 0 while there is nothing to draw
	done  int
	name  string
	drawn bool // the cursor stands behind a bar
}

func newBar(w io.Writer) *bar {
	return &bar{w: w, width: func() int { return columns(w) }}
}

// Start begins a bar of total units.
func (b *bar) Start(total int) { b.update(func() { b.total, b.done, b.name = total, 0, "" }) }

// Unit shows the unit being worked on.
func (b *bar) Unit(name string) { b.update(func() { b.name = name }) }

// Done counts a unit.
func (b *bar) Done(string) { b.update(func() { b.done++ }) }

// Finish removes the bar.
func (b *bar) Finish() { b.update(func() { b.total = 0 }) }

func (b *bar) update(change func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change()
	b.draw()
}

// Write passes on what others have to say, above the bar.
func (b *bar) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clear()
	n, err := b.w.Write(p)
	if strings.HasSuffix(string(p), "\n") {
		b.draw()
	}
	return n, err
}

func (b *bar) clear() {
	if b.drawn {
		io.WriteString(b.w, "\r\x1b[K")
		b.drawn = false
	}
}

func (b *bar) draw() {
	if b.total == 0 {
		b.clear()
		return
	}
	const cells = 20
	full := min(cells, b.done*cells/b.total)
	line := fmt.Sprintf("[%s%s] %d/%d %s", strings.Repeat("#", full), strings.Repeat(".", cells-full), b.done, b.total, filepath.Base(b.name))
	if b.name == "" {
		line = strings.TrimSuffix(line, filepath.Base(b.name))
	}
	fmt.Fprintf(b.w, "\r\x1b[K%s", cut(line, b.width()-1))
	b.drawn = true
}

// cut shortens s to n characters.
func cut(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	if !utf8.ValidString(s) {
		return strings.ToValidUTF8(s, "?")
	}
	return s
}

// isTerminal reports whether w is a terminal that understands colours and
// cursor movement.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

func columns(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			return n
		}
	}
	return 80
}
