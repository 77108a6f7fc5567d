package cc

// This file tells the pass its options, which clang's command line has no place
// for: words in an environment variable, with a comma between them.

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/model"
	"github.com/plumb-project/plumb/internal/toolchain"
)

// The environment variables of the drivers.
const (
	EnvPass   = "PLUMB_PASS"   // options of the pass: last-use, only=FILE, models=FILE
	EnvModels = "PLUMB_MODELS" // model files of the program's own allocators, with a colon between them
)

// Env is the environment in which clang must run. In a build that runs under plumb
// run, clang itself is left alone: it is large, and nobody has asked about it.
func (cfg *Config) Env(env []string) ([]string, error) {
	env = withoutRuntime(env)
	var words []string
	models := cfg.Models
	for _, kv := range env {
		switch name, value, _ := strings.Cut(kv, "="); {
		case name == EnvPass && value != "":
			words = strings.Split(value, ",")
		case name == EnvModels && value != "":
			models = append(filepath.SplitList(value), models...)
		}
	}
	given := len(words)
	if cfg.LastUse && !slices.Contains(words, "last-use") {
		words = append(words, "last-use")
	}
	if cfg.Only != nil {
		file, err := cfg.keep("only", cfg.Only)
		if err != nil {
			return nil, err
		}
		words = append(words, "only="+file)
	}
	// What already says models= comes from a driver above this one.
	if len(models) > 0 && !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "models=") }) {
		file, err := cfg.passModels(models)
		if err != nil {
			return nil, err
		}
		words = append(words, "models="+file)
	}
	if len(words) == given {
		return env, nil
	}
	for _, w := range words {
		if strings.Contains(w, ",") {
			return nil, fmt.Errorf("%s: the name must not contain a comma", w)
		}
	}
	out := slices.DeleteFunc(slices.Clone(env), func(kv string) bool { return strings.HasPrefix(kv, EnvPass+"=") })
	return append(out, EnvPass+"="+strings.Join(words, ",")), nil
}

// withoutRuntime takes plumb's runtime out of LD_PRELOAD.
func withoutRuntime(env []string) []string {
	out := slices.Clone(env)
	for i, kv := range out {
		list, ok := strings.CutPrefix(kv, "LD_PRELOAD=")
		if !ok || !strings.Contains(list, "libplumb_rt.so") {
			continue
		}
		kept := slices.DeleteFunc(strings.FieldsFunc(list, func(r rune) bool { return r == ':' || r == ' ' }),
			func(lib string) bool { return filepath.Base(lib) == "libplumb_rt.so" })
		out[i] = "LD_PRELOAD=" + strings.Join(kept, ":")
	}
	return out
}

// passModels writes what the pass needs to know of model files to a file, and returns
// its name.
func (cfg *Config) passModels(files []string) (string, error) {
	var b strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return "", fmt.Errorf("models: %w", err)
		}
		set, err := model.Parse(file, text)
		if err != nil {
			return "", err
		}
		for _, f := range set.All() {
			b.WriteString(passLines(f))
		}
	}
	return cfg.keep("models", []byte(b.String()))
}

// keep writes what the pass reads to a file that is named by its content, and returns
// its name: a build runs many compilers, and may outlive us.
func (cfg *Config) keep(what string, text []byte) (string, error) {
	root, err := toolchain.CacheRoot(cfg.CacheDir)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	name := filepath.Join(root, "run", what+"-"+hex.EncodeToString(sum[:8]))
	if _, err := os.Stat(name); err == nil {
		return name, nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return "", fmt.Errorf("%s: %w", what, err)
	}
	temp := fmt.Sprintf("%s.%d.tmp", name, os.Getpid())
	if err = os.WriteFile(temp, text, 0o666); err == nil {
		err = os.Rename(temp, name)
	}
	if err != nil {
		os.Remove(temp)
		return "", fmt.Errorf("%s: %w", what, err)
	}
	return name, nil
}

// passLines says of one function what happens to memory of its own making.
//
//	alloc pool_get 1        returns a new block, of as many bytes as argument 1 says
//	alloc node_new -        returns a new block of a size nobody knows
//	free pool_put 1         releases the block that argument 1 points to
//
// Arguments count from 0.
func passLines(f *model.Func) string {
	var b strings.Builder
	if fresh, ok := f.Fresh(); ok && fresh.Noun == "" {
		size := "-"
		if i := slices.IndexFunc(f.Params, isSize); i >= 0 {
			size = fmt.Sprint(i)
		}
		fmt.Fprintf(&b, "alloc %s %s\n", f.Name, size)
	}
	for i := range f.Params {
		if f.ReleasesParam(i) {
			fmt.Fprintf(&b, "free %s %d\n", f.Name, i)
		}
	}
	return b.String()
}

// isSize tells by its name which parameter is a number of bytes; models say no
// more.
func isSize(param string) bool {
	return slices.Contains([]string{"n", "size", "bytes", "nbytes", "len", "length"}, param)
}
