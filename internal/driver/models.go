// This file reads what is known of library functions.

package driver

import (
	"fmt"
	"os"

	"github.com/plumb-project/plumb/internal/model"
)

// Models returns the models that come with plumb, with those of the files added.
// Later files hold over earlier ones.
func Models(files []string) (*model.Set, error) {
	set := model.Builtin()
	for _, name := range files {
		more, err := modelFile(name)
		if err != nil {
			return nil, fmt.Errorf("model file: %w\nRun 'plumb models --help' for the form", err)
		}
		set = set.With(more)
	}
	return set, nil
}

func modelFile(name string) (*model.Set, error) {
	src, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return model.Parse(name, src)
}

// A ModelReport is what CheckModels finds.
type ModelReport struct {
	Models   int // lines that could be read
	Errors   []error
	Warnings []error
}

// CheckModels reads model files and finds mistakes, and what is likely to be one.
func CheckModels(files []string) (*ModelReport, error) {
	all := model.Builtin()
	sets := make([]*model.Set, len(files))
	r := &ModelReport{}
	for i, name := range files {
		var err error
		sets[i], err = modelFile(name)
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			r.Errors = append(r.Errors, joined.Unwrap()...)
		} else if err != nil {
			return nil, fmt.Errorf("model file: %w", err)
		}
		r.Models += sets[i].Len()
		all = all.With(sets[i])
	}
	if len(r.Errors) > 0 {
		return r, nil // what is missing would only look like more mistakes
	}
	before := model.Builtin()
	for _, s := range sets {
		for _, w := range s.Doubts(before, all) {
			r.Warnings = append(r.Warnings, w)
		}
		before = before.With(s)
	}
	return r, nil
}
