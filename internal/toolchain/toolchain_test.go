package toolchain

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fake puts an executable on its own PATH that prints the given banner.
func fake(t *testing.T, dir, name, banner string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	script := "#!/bin/sh\necho '" + banner + "'\n"
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestNewestWins(t *testing.T) {
	dir := t.TempDir()
	fake(t, dir, "clang-14", "Debian clang version 14.0.6")
	want := fake(t, dir, "clang-16", "Ubuntu clang version 16.0.6 (15)")
	fake(t, dir, "clang", "clang version 13.0.1")
	t.Setenv("PATH", dir)
	c, err := FindClang(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	if c.Path != want || c.Version != "16.0.6" || c.Major != 16 {
		t.Errorf("found %+v", c)
	}
	if got := c.String(); got != "clang 16.0.6 ("+want+")" {
		t.Errorf("String: %s", got)
	}
}

func TestPlainNameIsLast(t *testing.T) {
	dir := t.TempDir()
	want := fake(t, dir, "clang", "clang version 20.1.0-rc1 (https://example.org abc)")
	t.Setenv("PATH", dir)
	c, err := FindClang(context.Background(), "")
	if err != nil || c.Path != want || c.Version != "20.1.0" {
		t.Errorf("found %+v, %v", c, err)
	}
}

func TestNoClang(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	_, err := FindClang(context.Background(), "")
	wantError(t, err, "clang-22 to clang-14", "apt-get install clang-19")

	old := fake(t, dir, "clang", "clang version 11.0.1")
	_, err = FindClang(context.Background(), "")
	wantError(t, err, old, "version 11.0.1, plumb needs 14 to 22")
}

func TestExplicit(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	path := fake(t, dir, "mine", "clang version 15.0.7")
	for _, name := range []string{path, "mine"} {
		if c, err := FindClang(context.Background(), name); err != nil || c.Path != path {
			t.Errorf("%s: found %+v, %v", name, c, err)
		}
	}
	_, err := FindClang(context.Background(), filepath.Join(dir, "none"))
	wantError(t, err, "none", "no such file")

	gcc := fake(t, dir, "gcc", "gcc (Debian 12.2.0-14) 12.2.0")
	_, err = FindClang(context.Background(), gcc)
	wantError(t, err, "not a clang", "12.2.0")
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if !errors.Is(err, ErrNoClang) {
		t.Fatalf("error %v is not ErrNoClang", err)
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("error %q lacks %q", err, p)
		}
	}
}
