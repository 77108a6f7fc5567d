package cc

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestEnv(t *testing.T) {
	dir := t.TempDir()
	model := filepath.Join(dir, "pool.model")
	text := "pool_get(pool, size) -> fresh for pool_put | null\npool_put(pool, p) consumes p\nnode_new() -> fresh for node_end\nopen_log(path) -> fresh \"log\" for close_log | null\nlook(p) reads p\n"
	if err := os.WriteFile(model, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	// pass returns the options that the pass will see.
	pass := func(cfg Config, env ...string) []string {
		t.Helper()
		cfg.CacheDir = filepath.Join(dir, "cache")
		got, err := cfg.Env(append([]string{"HOME=/h"}, env...))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(got, "HOME=/h") {
			t.Errorf("environment lost: %v", got)
		}
		var words []string
		for _, kv := range got {
			if v, ok := strings.CutPrefix(kv, EnvPass+"="); ok {
				words = append(words, strings.Split(v, ",")...)
			}
		}
		return words
	}
	if got := pass(Config{}); got != nil {
		t.Errorf("options without a reason: %v", got)
	}
	if got := pass(Config{LastUse: true}, EnvPass+"=last-use"); !slices.Equal(got, []string{"last-use"}) {
		t.Errorf("last-use twice: %v", got)
	}
	for _, got := range [][]string{pass(Config{Models: []string{model}}), pass(Config{}, EnvModels+"="+model)} {
		if len(got) != 1 || !strings.HasPrefix(got[0], "models=") {
			t.Fatalf("options %v", got)
		}
		b, err := os.ReadFile(strings.TrimPrefix(got[0], "models="))
		if want := "alloc node_new -\nalloc pool_get 1\nfree pool_put 1\n"; err != nil || string(b) != want {
			t.Errorf("the pass reads %q, %v; want %q", b, err, want)
		}
	}
	if got := pass(Config{Models: []string{model}}, EnvPass+"=models=/x"); !slices.Equal(got, []string{"models=/x"}) {
		t.Errorf("models twice: %v", got)
	}
	cfg := Config{}
	if env, err := cfg.Env([]string{"LD_PRELOAD=/k/libplumb_rt.so:/x.so"}); err != nil || !slices.Equal(env, []string{"LD_PRELOAD=/x.so"}) {
		t.Errorf("clang gets the runtime: %v, %v", env, err)
	}
	cfg = Config{Models: []string{filepath.Join(dir, "none")}}
	if _, err := cfg.Env(nil); err == nil || !strings.Contains(err.Error(), "none") {
		t.Errorf("a model file that is not there: %v", err)
	}
}
