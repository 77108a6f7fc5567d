// This file reads what plumb run --only-reported is to follow.

package cli

import (
	"bytes"
	"fmt"
	"os"
	"slices"

	"github.com/plumb-project/plumb/internal/render"
	"github.com/plumb-project/plumb/internal/report"
)

// onlyFromEnv reads the report that PLUMB_ONLY names, for builds that plumb does not
// start.
func onlyFromEnv() ([]byte, error) {
	if name := os.Getenv("PLUMB_ONLY"); name != "" {
		return readOnly(name)
	}
	return nil, nil
}

// readOnly reads a report of plumb check and returns what a run must follow to see its
// leaks, in the form of the compiler's pass.
func readOnly(name string) ([]byte, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("working directory: %w", err)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	saved, err := render.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; plumb check --format json -o FILE writes one", name, err)
	}
	b := bytes.NewBuffer([]byte{}) // nothing to follow is not the same as everything
	r := saved.Report(dir)
	n, err := render.WriteOnly(b, r)
	if err == nil && n == 0 && slices.ContainsFunc(r.Findings, func(f report.Finding) bool { return f.Kind.IsLeak() }) {
		err = fmt.Errorf("%s: does not say what to follow; plumb check --format json -o FILE writes a report that does", name)
	}
	return b.Bytes(), err
}
