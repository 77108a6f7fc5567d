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
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("model file: %w", err)
		}
		more, err := model.Parse(name, src)
		if err != nil {
			return nil, fmt.Errorf("model file: %w; 'plumb models --help' shows the form", err)
		}
		set = set.With(more)
	}
	return set, nil
}
