package capture

// This file helps units that clang refuses because of attributes: those that
// plumb's macros make of others, and malloc with arguments, which gcc has since
// version 11 and clang since 21.

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/plumb-project/plumb/internal/toolchain"
)

// mallocRefused is how clang complains of arguments of malloc.
const mallocRefused = "'malloc' attribute takes no arguments"

// An attributes is how the attributes of one unit are passed to clang.
type attributes struct {
	flags   []string
	plain   bool              // without those that clang refused
	dir     string            // of changed copies; "" for none
	changed map[string]string // by file: its copy
}

// amend finds another way after clang failed with these messages. It reports
// whether there is one.
func (a *attributes) amend(c *compiler, j *job, stderr string) (bool, error) {
	if strings.Contains(stderr, mallocRefused) {
		var files []string
		for _, m := range messageFile.FindAllStringSubmatch(stderr, -1) {
			files = append(files, absolute(j.dir, m[1]))
		}
		return a.overlay(files)
	}
	if !a.plain && strings.Contains(stderr, "section") {
		a.plain = true
		a.flags = append(c.clang.PlainAttributeFlags(), a.overlayFlag()...)
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
		if !strings.HasPrefix(file, "/usr/include/") && c.hasMalloc(file) {
			with = append(with, file)
		}
	}
	return a.overlay(with)
}

// hasMalloc reports whether there is a malloc with arguments in a file.
func (c *compiler) hasMalloc(file string) bool {
	if known, ok := c.scanned.Load(file); ok {
		return known.(bool)
	}
	src, err := os.ReadFile(file)
	found := err == nil && bytes.Contains(src, []byte("malloc")) && mallocAttribute.Match(src)
	c.scanned.Store(file, found)
	return found
}

// overlay lets clang see copies of files, in which the attribute malloc goes by the
// name of a macro that is as long. It reports whether there are more of them now.
func (a *attributes) overlay(files []string) (bool, error) {
	found := false
	for _, file := range files {
		if a.changed[file] != "" {
			continue
		}
		src, err := os.ReadFile(file)
		if err != nil {
			continue // a message about no file
		}
		text, ok := renameMalloc(string(src))
		if !ok {
			continue
		}
		if a.dir == "" {
			if a.dir, err = os.MkdirTemp("", "plumb-attributes-"); err != nil {
				return false, err
			}
			a.changed = map[string]string{}
		}
		copied := filepath.Join(a.dir, strconv.Itoa(len(a.changed)))
		if err := os.WriteFile(copied, []byte(text), 0o600); err != nil {
			return false, err
		}
		a.changed[file] = copied
		found = true
	}
	if !found {
		return false, nil
	}
	if !slices.Contains(a.flags, "-ivfsoverlay") {
		a.flags = append(slices.Clone(a.flags), a.overlayFlag()...)
	}
	return true, a.overlayFile()
}

// overlayFile writes clang's description of the copies.
func (a *attributes) overlayFile() error {
	type root struct {
		Name     string `json:"name"`
		Type     string `json:"type"`
		Contents string `json:"external-contents"`
	}
	desc := struct {
		Version  int    `json:"version"`
		External bool   `json:"use-external-names"` // positions name the files themselves
		Roots    []root `json:"roots"`
	}{}
	for file, copied := range a.changed {
		desc.Roots = append(desc.Roots, root{file, "file", copied})
	}
	text, err := json.Marshal(desc)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(a.dir, "overlay"), text, 0o600)
}

func (a *attributes) overlayFlag() []string {
	if len(a.changed) == 0 {
		return nil
	}
	return []string{"-ivfsoverlay", filepath.Join(a.dir, "overlay")}
}

func (a *attributes) close() {
	if a.dir != "" {
		_ = os.RemoveAll(a.dir) // it is in the directory for such things
	}
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
