package capture

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func TestDatabase(t *testing.T) {
	needClang(t)
	p := newProject(t,
		"src/a.c", "#include \"h.h\"\nconst char *s = S;\nint a = H;\n", "inc/h.h", "#define H 1\n",
		"src/b.c", "int b = H;\n", "src/asm.S", "", "src/plus.c", "class c { int x; };\n",
		"gen/opts.rsp", "-DH=5 '-DS=\"q r\"'\n",
		"build/compile_commands.json", `[
  {"directory": "DIR/build", "command": "ccache gcc -I../inc -DS=\\\"x\\ y\\\" -Wall -c ../src/a.c -o a.o", "file": "../src/a.c"},
  {"directory": "DIR/build", "arguments": ["cc", "-I../inc", "-DS=\"x y\"", "-O3", "-c", "../src/a.c"], "file": "DIR/src/a.c"},
  {"directory": "DIR/build", "arguments": ["cc", "-I../inc", "-DS=\"z\"", "-c", "../src/a.c"], "file": "DIR/src/a.c"},
  {"directory": "DIR/build", "command": "gcc @../gen/opts.rsp -c ../src/b.c -fPIC -DPIC", "file": "../src/b.c"},
  {"directory": "DIR/build", "command": "gcc @../gen/opts.rsp -c ../src/b.c", "file": "../src/b.c"},
  {"directory": "DIR/build", "command": "gcc -c ../src/asm.S", "file": "../src/asm.S"},
  {"directory": "DIR/build", "command": "g++ -c ../src/plus.c", "file": "../src/plus.c"},
  {"directory": "DIR/build", "command": "gcc -c ../src/none.c", "file": "../src/none.c"},
  {"directory": "DIR/nodir", "command": "gcc -c DIR/src/b.c -DH=1", "file": "DIR/src/b.c"},
  {"directory": "DIR/build", "file": "../src/empty.c"},
  {"command": "gcc -DH=2 -c ../src/b.c", "file": "../src/b.c"}
]`)
	p.subst("build/compile_commands.json")
	res, names := p.mustRun(Config{CompileDB: "build"})
	equal(t, "units", names, []string{"src/a.c", "src/a.c", "src/b.c", "src/plus.c", "src/b.c"})
	var skipped []string
	for _, s := range res.Skipped {
		skipped = append(skipped, s.Unit+": "+s.Reason)
	}
	equal(t, "skipped", skipped, []string{
		p.path("src/none.c") + ": no such file; if the build generates it, build first",
		p.path("src/b.c") + ": cannot enter the directory of the compile command: stat " + p.path("nodir") + ": no such file or directory",
		p.path("src/empty.c") + `: its entry in compile_commands.json has neither "command" nor "arguments"`,
	})
	p.wantNote("2 files compiled more than once with different options")
	p.wantNote("asm.S: assembler source")
	p.wantNote(`entry 11 (../src/b.c) has no "directory"`)
	res, _ = p.mustRun(Config{CompileDB: p.path("build/compile_commands.json")})
	counts(t, res, 0, 5)
}

// subst replaces DIR in a file by the project's directory.
func (p *project) subst(name string) {
	p.t.Helper()
	b, err := os.ReadFile(p.path(name))
	if err != nil {
		p.t.Fatal(err)
	}
	p.write(name, strings.ReplaceAll(string(b), "DIR", p.dir))
}

func TestBadDatabase(t *testing.T) {
	tests := []struct {
		text    string
		nothing bool
		parts   []string
	}{
		{"[\n  {\"directory\": \"/\", \"file\": \"a.c\",},\n]", false, []string{"compile_commands.json:2:36: ", "invalid character '}'", "configure"}},
		{"[", false, []string{"compile_commands.json:1:1: ", "unexpected end"}},
		{"", false, []string{"compile_commands.json:1:1: "}},
		{"{}", false, []string{"compile_commands.json:1:1: ", "object where a list should be"}},
		{"[\n{\"directory\": 3}]", false, []string{"compile_commands.json:2:15: ", "number where a string should be"}},
		{"[]", true, []string{"no entries"}},
		{`[{"directory": "/", "command": "gcc 'x"}]`, false, []string{"entry 1", "' is not closed"}},
		{`[{"directory": "/"}]`, false, []string{"entry 1 has none of"}},
		{`[{"directory": "/", "command": "gcc x.o -o y", "file": "x.o"}]`, true, []string{"compiles C or C++"}},
	}
	for _, tt := range tests {
		p := newProject(t, "compile_commands.json", tt.text)
		_, err := p.run(Config{CompileDB: "."})
		t.Log(err)
		wantError(t, err, tt.nothing, tt.parts...)
	}
}

func TestWriteDB(t *testing.T) {
	needClang(t)
	p := newProject(t, "a.c", "int a = X;\n", "b.cc", "int b = X;\n")
	p.mustRun(Config{Files: []string{"b.cc", "a.c"}, Flags: []string{"-DX=1"}, WriteDB: "out.json"})
	b, err := os.ReadFile(p.path("out.json"))
	if err != nil {
		t.Fatal(err)
	}
	var entries []dbEntry
	if err := json.Unmarshal(b, &entries); err != nil {
		t.Fatal(err)
	}
	if len(entries) != 2 {
		t.Fatalf("%s", b)
	}
	equal(t, "arguments", entries[0].Arguments, []string{"clang", "-DX=1", "-c", "b.cc"})
	res, names := p.mustRun(Config{CompileDB: "out.json"})
	equal(t, "units", names, []string{"b.cc", "a.c"})
	counts(t, res, 0, 2)
	_, err = p.run(Config{Files: []string{"a.c"}, WriteDB: "no/such/dir.json"})
	wantError(t, err, false, "cannot write the compilation database")
}
