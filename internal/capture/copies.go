package capture

// This file lets clang see other contents in the place of files, which stay as
// they are: a virtual file system laid over the real one.

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// copies are contents that clang sees instead of those of files. The zero value is
// empty; close removes what is on disk.
type copies struct {
	dir   string            // temporary; "" for none
	texts map[string][]byte // by absolute path
	files map[string]string // by absolute path: where the contents are
}

// put lets clang see text in the place of file.
func (c *copies) put(file string, text []byte) error {
	if c.dir == "" {
		dir, err := os.MkdirTemp("", "plumb-overlay-")
		if err != nil {
			return err
		}
		c.dir, c.texts, c.files = dir, map[string][]byte{}, map[string]string{}
	}
	if c.files[file] == "" {
		c.files[file] = filepath.Join(c.dir, strconv.Itoa(len(c.files)))
	}
	c.texts[file] = text
	if err := os.WriteFile(c.files[file], text, 0o600); err != nil {
		return err
	}
	return c.describe()
}

// read gives what clang sees of a file.
func (c *copies) read(file string) ([]byte, error) {
	if text, ok := c.texts[file]; ok {
		return text, nil
	}
	return os.ReadFile(file)
}

// describe writes the list of copies as clang wants it.
func (c *copies) describe() error {
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
	for _, file := range slices.Sorted(maps.Keys(c.files)) {
		desc.Roots = append(desc.Roots, root{file, "file", c.files[file]})
	}
	text, err := json.Marshal(desc)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(c.dir, "overlay"), text, 0o600)
}

// args tell clang of the copies.
func (c *copies) args() []string {
	if len(c.files) == 0 {
		return nil
	}
	return []string{"-ivfsoverlay", filepath.Join(c.dir, "overlay")}
}

func (c *copies) close() {
	if c.dir != "" {
		_ = os.RemoveAll(c.dir) // it is in the directory for such things
	}
}
