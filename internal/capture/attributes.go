package capture

// This file helps units that clang refuses because of attributes: those that
// plumb's macros make of others, and malloc with arguments, which gcc has since
// version 11 and clang since 21.

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/toolchain"
)

// mallocRefused is how clang complains of arguments of malloc.
const mallocRefused = "'malloc' attribute takes no arguments"

// An attributes is how the attributes of one unit are passed to clang.
type attributes struct {
	flags   []string
	plain   bool            // without those that clang refused
	renamed map[string]bool // files in which malloc goes by another name
	copies  copies          // those, and what the caller laid over others
}

// args are the words for clang.
func (a *attributes) args() []string { return slices.Concat(a.flags, a.copies.args()) }

// amend finds another way after clang failed with these messages. It reports
// whether there is one.
func (a *attributes) amend(c *compiler, j *job, stderr string) (bool, error) {
	if strings.Contains(stderr, mallocRefused) {
		var files []string
		for _, m := range messageFile.FindAllStringSubmatch(stderr, -1) {
			files = append(files, absolute(j.dir, m[1]))
		}
		return a.rename(files)
	}
	if !a.plain && strings.Contains(stderr, "section") {
		a.plain = true
		a.flags = append(c.clang.PlainAttributeFlags(), toolchain.CheckFlag)
		return true, nil
	}
	return false, nil
}

// messageFile matches the file that a message of clang is about.
var messageFile = regexp.MustCompile(`(?m)^(.+?):\d+:\d+: (?:error|note): `)

// forgets is the first clang that takes the arguments of malloc, and makes nothing
// of them.
const forgets = 21

// complete looks for attributes that clang took and made nothing of, in files that
// were read. It reports whether the unit is to be compiled again, with them.
func (a *attributes) complete(c *compiler, files []string) (bool, error) {
	if c.clang.Major < forgets {
		return false, nil
	}
	var with []string
	for _, file := range files {
		if !strings.HasPrefix(file, "/usr/include/") && a.hasMalloc(c, file) {
			with = append(with, file)
		}
	}
	return a.rename(with)
}

// hasMalloc reports whether there is a malloc with arguments in a file.
func (a *attributes) hasMalloc(c *compiler, file string) bool {
	if text, ok := a.copies.texts[file]; ok {
		return mallocIn(text)
	}
	if known, ok := c.scanned.Load(file); ok {
		return known.(bool)
	}
	src, err := os.ReadFile(file)
	found := err == nil && mallocIn(src)
	c.scanned.Store(file, found)
	return found
}

func mallocIn(src []byte) bool {
	return bytes.Contains(src, []byte("malloc")) && mallocAttribute.Match(src)
}

// rename lets clang see copies of files, in which the attribute malloc goes by the
// name of a macro that is as long. It reports whether there are more of them now.
func (a *attributes) rename(files []string) (bool, error) {
	found := false
	for _, file := range files {
		if a.renamed[file] {
			continue
		}
		src, err := a.copies.read(file)
		if err != nil {
			continue // a message about no file
		}
		text, ok := renameMalloc(string(src))
		if !ok {
			continue
		}
		if err := a.copies.put(file, []byte(text)); err != nil {
			return false, err
		}
		if a.renamed == nil {
			a.renamed = map[string]bool{}
		}
		a.renamed[file] = true
		found = true
	}
	return found, nil
}

// mallocAttribute matches attributes up to malloc and its opening bracket; others
// before it have no brackets, or one pair.
var mallocAttribute = regexp.MustCompile(`(?:__attribute(?:__)?\s*\(\s*\((?:(?:[^()]|\([^()]*\))*?[\s,])?|\b(?:gnu|__gnu__)::)malloc\s*\(`)

// renameMalloc gives the attribute malloc(f, n) the name of the macro. It reports
// whether there was one.
func renameMalloc(src string) (string, bool) {
	found := false
	for {
		m := mallocAttribute.FindStringIndex(src)
		if m == nil {
			return src, found
		}
		i := m[0] + strings.LastIndex(src[m[0]:m[1]], "malloc")
		src = src[:i] + toolchain.MallocAlias + src[i+len("malloc"):]
		found = true
	}
}
