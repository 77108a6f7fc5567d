// This file reads answers to questions.

package cli

import (
	"bufio"
	"context"
	"io"
	"os"

	"golang.org/x/term"
)

// lines reads lines, one when it is asked for, and stops waiting when the user does.
type lines struct {
	asks    chan struct{}
	answers chan answer
}

type answer struct {
	line string
	err  error
}

func newLines(r io.Reader) *lines {
	l := &lines{asks: make(chan struct{}), answers: make(chan answer)}
	in := bufio.NewReader(r)
	go func() {
		for range l.asks {
			line, err := in.ReadString('\n')
			if line != "" {
				err = nil
			}
			l.answers <- answer{line, err}
		}
	}()
	return l
}

func (l *lines) next(ctx context.Context) (string, error) {
	select {
	case l.asks <- struct{}{}:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	select {
	case a := <-l.answers:
		return a.line, a.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// isInteractive reports whether someone can answer questions there.
func isInteractive(r io.Reader) bool {
	f, ok := r.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
