// This file lets the user's editor change a patch.

package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync/atomic"

	"github.com/spf13/cobra"
)

// editHelp stands above a patch that is edited; what is not a patch is skipped.
const editHelp = `# Edit the lines that start with - and +, and save; plumb counts the lines itself.
# Lines that start with a blank must stay as they are. Take everything away to go back.
`

// editor returns a function that lets the user edit a text.
func editor(cmd *cobra.Command) func(context.Context, []byte) ([]byte, error) {
	return func(ctx context.Context, text []byte) ([]byte, error) {
		f, err := os.CreateTemp("", "plumb-*.diff")
		if err != nil {
			return nil, err
		}
		defer os.Remove(f.Name())
		if !bytes.HasPrefix(text, []byte(editHelp)) {
			text = append([]byte(editHelp), text...)
		}
		if _, err = f.Write(text); err == nil {
			err = f.Close()
		}
		if err != nil {
			return nil, err
		}
		program := cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR"), "vi")
		// By the shell, as git does: the variable may have arguments.
		child := exec.CommandContext(ctx, "sh", "-c", program+` "$1"`, "sh", f.Name())
		child.Stdin, child.Stdout, child.Stderr = cmd.InOrStdin(), cmd.ErrOrStderr(), cmd.ErrOrStderr()
		if busy, ok := ctx.Value(editing{}).(*atomic.Bool); ok {
			busy.Store(true)
			defer busy.Store(false)
		}
		if err := child.Run(); err != nil {
			return nil, fmt.Errorf("%s: %w", program, err)
		}
		return os.ReadFile(f.Name())
	}
}
