// Package findings holds the pages about the kinds of findings, so that plumb
// explain prints what is written here.
package findings

import "embed"

// Pages has one page for each kind, named after it: leak-lost.md.
//
//go:embed *.md
var Pages embed.FS
