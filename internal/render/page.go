// This file writes the pages about kinds of findings for a terminal.

package render

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/plumb-project/plumb/internal/report"
)

// Page is the page about a kind, without the marks of Markdown.
func Page(pages fs.FS, k report.Kind) (string, error) {
	text, err := page(pages, k)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	var para []string
	flush := func() {
		b.WriteString(wrap(unmarked(strings.Join(para, " ")), "", 78))
		para = nil
	}
	code := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "```"):
			flush()
			code = !code
		case code:
			b.WriteString("    " + line + "\n")
		case line == "":
			flush()
			b.WriteByte('\n')
		default:
			para = append(para, line)
		}
	}
	flush()
	return b.String(), nil
}

// Advice is what the page about a kind says is to be done.
func Advice(pages fs.FS, k report.Kind) (string, error) {
	text, err := page(pages, k)
	if err != nil {
		return "", err
	}
	_, rest, ok := strings.Cut(text, "**What to do.** ")
	if !ok {
		return "", fmt.Errorf("the page about %s does not say what to do", k)
	}
	para, _, _ := strings.Cut(rest, "\n\n")
	return unmarked(para), nil
}

func page(pages fs.FS, k report.Kind) (string, error) {
	data, err := fs.ReadFile(pages, k.String()+".md")
	if err != nil {
		return "", fmt.Errorf("nothing is written about %s: %w", k, err)
	}
	return string(data), nil
}

// unmarked drops headings' and bold marks, and keeps only the text of links.
func unmarked(s string) string {
	s = strings.TrimPrefix(strings.ReplaceAll(s, "**", ""), "# ")
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "[")
		text, after, closed := strings.Cut(rest, "](")
		_, tail, ended := strings.Cut(after, ")")
		if !ok || !closed || !ended || strings.ContainsAny(text, "[]") {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(before + text)
		s = tail
	}
}
