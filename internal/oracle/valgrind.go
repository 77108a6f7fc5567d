// This file runs programs under valgrind and keeps what it says.

package oracle

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// A Valgrind is how to run valgrind.
type Valgrind struct {
	Path  string
	Flags []string
	Env   []string // added to the environment
}

// A Complaint is one thing that valgrind found.
type Complaint struct {
	Kind  string `xml:"kind"`
	What  string `xml:"what"`
	XWhat struct {
		Text   string `xml:"text"`
		Bytes  int64  `xml:"leakedbytes"`
		Blocks int64  `xml:"leakedblocks"`
	} `xml:"xwhat"`
	Frames []Frame `xml:"stack>frame"` // innermost first
}

// A Frame is a line on the stack.
type Frame struct {
	File string `xml:"file"` // without directories
	Line int    `xml:"line"`
}

// Bytes is how much was lost, without what is held by it and counted on its own.
//
//	192 (16 direct, 176 indirect) bytes in 1 blocks are definitely lost in loss record 3 of 3
func (c *Complaint) Bytes() int64 {
	_, rest, ok := strings.Cut(c.XWhat.Text, " (")
	direct, _, ok2 := strings.Cut(rest, " direct, ")
	n, err := strconv.ParseInt(strings.ReplaceAll(direct, ",", ""), 10, 64)
	if !ok || !ok2 || err != nil {
		return c.XWhat.Bytes
	}
	return n
}

// Run runs a program that is to end with status 0, and returns what was wrong in
// it. The answer for the same program, arguments and input is the same, and
// is kept: a run takes a third of a second, and there are hundreds of them. What
// the program is made of is its key; build is only called when there is no answer.
func (v *Valgrind) Run(ctx context.Context, key []byte, build func() (string, error), args []string, stdin string) ([]Complaint, error) {
	kept, err := v.kept(key, args, stdin)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(kept)
	if err != nil {
		exe, err := build()
		if err != nil {
			return nil, err
		}
		if data, err = v.run(ctx, exe, args, stdin); err != nil {
			return nil, err
		}
		if kept != "" {
			keep(kept, data)
		}
	}
	var out struct {
		Errors []Complaint `xml:"error"`
	}
	if err := xml.Unmarshal(data, &out); err != nil {
		return nil, fmt.Errorf("valgrind's answer: %w", err)
	}
	return out.Errors, nil
}

func (v *Valgrind) run(ctx context.Context, exe string, args []string, stdin string) ([]byte, error) {
	f, err := os.CreateTemp("", "valgrind*.xml")
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	f.Close()
	words := append([]string{"--xml=yes", "--xml-file=" + f.Name()}, v.Flags...)
	cmd := exec.CommandContext(ctx, v.Path, append(append(words, exe), args...)...)
	cmd.Env = append(os.Environ(), v.Env...)
	cmd.Stdin = strings.NewReader(stdin)
	var msg bytes.Buffer
	cmd.Stdout, cmd.Stderr = &msg, &msg
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%q: %w\n%s", args, err, msg.Bytes())
	}
	return os.ReadFile(f.Name())
}

// kept names the file in the user's cache that holds what valgrind says of a
// run, or nothing if there is no such place.
func (v *Valgrind) kept(key []byte, args []string, stdin string) (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", nil
	}
	info, err := os.Stat(v.Path)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%d %s %q %q %q %q\n", info.Size(), info.ModTime().UTC(), v.Flags, v.Env, args, stdin)
	h.Write(key)
	return filepath.Join(dir, "plumb-tests", "valgrind", fmt.Sprintf("%x.xml", h.Sum(nil))), nil
}

// keep writes a file in one step; if it cannot, the next test runs again.
func keep(name string, data []byte) {
	dir := filepath.Dir(name)
	if os.MkdirAll(dir, 0o777) != nil {
		return
	}
	f, err := os.CreateTemp(dir, "new")
	if err != nil {
		return
	}
	_, err = f.Write(data)
	if f.Close() != nil || err != nil || os.Rename(f.Name(), name) != nil {
		os.Remove(f.Name())
	}
}
