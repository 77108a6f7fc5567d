package capture

import "testing"

func TestRenameMalloc(t *testing.T) {
	for src, want := range map[string]string{
		"__attribute__((malloc(f, 1))) int *g();":                "__attribute__((__plmb(f, 1))) int *g();",
		"__attribute__ (( cold,malloc (f)))":                     "__attribute__ (( cold,__plmb (f)))",
		"__attribute__((alloc_size(1),\n malloc(f), malloc(h)))": "__attribute__((alloc_size(1),\n __plmb(f), __plmb(h)))",
		"[[gnu::malloc(f)]] int *g();":                           "[[gnu::__plmb(f)]] int *g();",
		"__attribute__((malloc)) int *g(); p = malloc(1);":       "",
		"__attribute__((cold)) void f() { malloc(1); }":          "",
		"my_malloc(1); __attribute__((my_malloc(f)))":            "",
		"p = std::malloc(1); q = ::malloc(1);":                   "",
	} {
		got, ok := renameMalloc(src)
		if want == "" {
			if ok || got != src {
				t.Errorf("%s became %s", src, got)
			}
			continue
		}
		if !ok || got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
