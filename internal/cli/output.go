// This file writes findings to where the user wants them.

package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// An output is stdout, or a file that appears whole or not at all.
type output struct {
	io.Writer
	name   string   // for messages
	file   *os.File // what to close; nil for stdout
	temp   string   // path of file while it is not yet at its place; "" if it is written in place
	target string   // where temp goes
}

// openOutput opens the output that -o names; "" and "-" are stdout. A regular
// file is written aside and renamed; what is not one (a pipe, a device) is
// written in place.
func openOutput(name string, stdout io.Writer) (*output, error) {
	if name == "" || name == "-" {
		return &output{Writer: stdout, name: "standard output"}, nil
	}
	fail := func(err error) (*output, error) {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, fmt.Errorf("cannot write %s: %w", name, err)
	}
	target, mode := name, fs.FileMode(0)
	if st, err := os.Stat(name); err == nil {
		if st.IsDir() {
			return nil, fmt.Errorf("cannot write %s: it is a directory; name a file in it", name)
		}
		if !st.Mode().IsRegular() {
			f, err := os.OpenFile(name, os.O_WRONLY, 0)
			if err != nil {
				return fail(err)
			}
			return &output{Writer: f, name: name, file: f}, nil
		}
		mode = st.Mode().Perm()
		if target, err = filepath.EvalSymlinks(name); err != nil {
			return fail(err)
		}
	}
	temp := filepath.Join(filepath.Dir(target), fmt.Sprintf(".%s.%d.tmp", filepath.Base(target), os.Getpid()))
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return fail(err)
	}
	o := &output{Writer: f, name: name, file: f, temp: temp, target: target}
	if mode != 0 {
		if err := f.Chmod(mode); err != nil {
			o.discard()
			return fail(err)
		}
	}
	return o, nil
}

// commit ends the output. It takes the error of writing to it, and returns that
// or its own.
func (o *output) commit(err error) error {
	if o.file != nil {
		err = errors.Join(err, o.file.Close())
		o.file = nil
	}
	if err == nil && o.temp != "" {
		err = os.Rename(o.temp, o.target)
	}
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return fmt.Errorf("cannot write %s: %w", o.name, err)
	}
	o.temp = ""
	return nil
}

// discard removes what was not committed.
func (o *output) discard() {
	if o.file != nil {
		o.file.Close()
		o.file = nil
	}
	if o.temp != "" {
		os.Remove(o.temp)
		o.temp = ""
	}
}
