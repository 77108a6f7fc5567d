package capture

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/toolchain"
)

// clang runs the test machine's clang in the project.
func (p *project) clang(args ...string) error {
	p.t.Helper()
	c, err := toolchain.FindClang(context.Background(), "")
	if err != nil {
		p.t.Skip("needs clang:", err)
	}
	cmd := exec.Command(c.Path, args...)
	cmd.Dir = p.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// must fails the test on an error.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestGivenBitcode(t *testing.T) {
	p := newProject(t, "a.c", "int a;\n", "b.c", "int b;\n")
	must(t, p.clang("-c", "-emit-llvm", "a.c", "-o", "a.bc"))
	must(t, p.clang("-c", "-flto", "a.c", "-o", "lto.o"))
	must(t, p.clang("-c", "-fembed-bitcode", "a.c", "-o", "embed.o"))
	must(t, p.clang("-c", "-fembed-bitcode", "b.c", "-o", "embed2.o"))
	must(t, p.clang("-c", "a.c", "-o", "plain.o"))
	must(t, os.WriteFile(p.path("wrapped"), append([]byte("\xde\xc0\x17\x0b"), make([]byte, 16)...), 0o666))
	files := []string{"a.bc", "lto.o", "embed.o", "plain.o", "wrapped"}
	want := []string{"a.bc", "lto.o", "embed.o", "wrapped"}
	if p.clang("-c", "-flto", "-ffat-lto-objects", "a.c", "-o", "fat.o") == nil { // clang 17 and later
		files, want = append(files, "fat.o"), append(want, "fat.o")
	}
	if ld, err := exec.LookPath("ld"); err == nil {
		cmd := exec.Command(ld, "-r", "embed.o", "embed2.o", "-o", "both.o")
		cmd.Dir = p.dir
		must(t, cmd.Run())
		files, want = append(files, "both.o"), append(want, "both.o#1", "both.o#2")
	}
	res, names := p.mustRun(Config{Files: files})
	equal(t, "units", names, want)
	if len(res.Skipped) != 1 || res.Skipped[0].Unit != "plain.o" || !strings.Contains(res.Skipped[0].Reason, "rebuild with clang -flto") {
		t.Errorf("skipped %+v", res.Skipped)
	}
	if res.Clang != nil || res.Compiled+res.Cached != 0 {
		t.Errorf("bitcode needs no clang: %+v", res)
	}
	_, err := p.run(Config{Files: []string{"plain.o"}})
	wantError(t, err, true, "plain.o", "-flto")
}

func TestGccLTO(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("needs gcc")
	}
	p := newProject(t, "a.c", "int a;\n")
	cmd := exec.Command(gcc, "-flto", "-c", "a.c", "-o", "a.o")
	cmd.Dir = p.dir
	if err := cmd.Run(); err != nil {
		t.Skip("needs a gcc with LTO:", err)
	}
	_, err = p.run(Config{Files: []string{"a.o"}})
	wantError(t, err, true, "gcc's LTO object")
}

func TestGivenArchives(t *testing.T) {
	ar, err := exec.LookPath("ar")
	if err != nil {
		t.Skip("needs ar")
	}
	long := "a_name_of_more_than_sixteen_bytes.o"
	p := newProject(t, "a.c", "int a;\n")
	must(t, p.clang("-c", "-emit-llvm", "a.c", "-o", "a.o"))
	must(t, p.clang("-c", "-fembed-bitcode", "a.c", "-o", long))
	must(t, p.clang("-c", "a.c", "-o", "plain.o"))
	for _, kind := range []string{"rcs", "rcsT", "rcSP"} {
		cmd := exec.Command(ar, kind, "lib"+kind+".a", "a.o", long, "plain.o")
		cmd.Dir = p.dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Logf("ar %s: %s", kind, out)
			continue
		}
		lib := "lib" + kind + ".a"
		res, names := p.mustRun(Config{Files: []string{lib}})
		equal(t, kind, names, []string{lib + "(a.o)", lib + "(" + long + ")"})
		if len(res.Skipped) != 1 || res.Skipped[0].Unit != lib+"(plain.o)" {
			t.Errorf("%s: skipped %+v", kind, res.Skipped)
		}
	}
	must(t, os.Remove(p.path("a.o")))
	res, _ := p.mustRun(Config{Files: []string{"librcsT.a"}})
	if len(res.Skipped) != 2 || !strings.Contains(res.Skipped[0].Reason, "no such file") {
		t.Errorf("thin archive without its member: %+v", res.Skipped)
	}
}

// arMember is a member as ar writes it.
func arMember(name string, data string) string {
	h := fmt.Sprintf("%-16s%-12s%-6s%-6s%-8s%-10s`\n", name, "0", "0", "0", "644", strconv.Itoa(len(data)))
	if len(data)%2 == 1 {
		data += "\n"
	}
	return h + data
}

func TestReadArchive(t *testing.T) {
	gnu := arMagic + arMember("/", "symbols") + arMember("//", "long_long_long_name.o/\nother.o/\n") +
		arMember("/0", "one") + arMember("/23", "two") + arMember("short.o/", "three")
	bsd := arMagic + arMember("__.SYMDEF", "xx") + arMember("#1/8", "name.o\x00\x00data") + arMember("old.o", "z")
	for _, tt := range []struct{ in, want string }{
		{gnu, "long_long_long_name.o=one other.o=two short.o=three"},
		{bsd, "name.o=data old.o=z"},
		{arMagic, ""},
	} {
		members, err := readArchive([]byte(tt.in), "")
		must(t, err)
		var got []string
		for _, m := range members {
			got = append(got, m.name+"="+string(m.data))
			if at := []byte(tt.in)[m.off:]; !bytes.HasPrefix(at, m.data) {
				t.Errorf("%s: offset %d is wrong", m.name, m.off)
			}
		}
		equal(t, "members", got, strings.Fields(tt.want))
	}
	for _, bad := range []string{
		gnu[:len(gnu)-3], arMagic + "x", arMagic + arMember("/99", ""), arMagic + arMember("#1/99", "a"),
		strings.Replace(gnu, "`", "x", 1), strings.Replace(bsd, "2         `", "2x        `", 1),
	} {
		if _, err := readArchive([]byte(bad), ""); err == nil || !strings.Contains(err.Error(), "damaged archive at byte") {
			t.Errorf("%q: error %v", bad, err)
		}
	}
}

func FuzzReadArchive(f *testing.F) {
	f.Add([]byte(arMagic + arMember("//", "long_name.o/\n") + arMember("/0", "one") + arMember("#1/4", "a.o\x00x")))
	f.Add([]byte(thinMagic + arMember("a.o/", "")))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < len(arMagic) {
			return
		}
		members, err := readArchive(b, filepath.Join(t.TempDir(), "none"))
		if err == nil && len(members) > len(b) {
			t.Error("more members than bytes")
		}
	})
}

func FuzzModules(f *testing.F) {
	f.Add([]byte("\x7fELF\x02\x01\x01"))
	f.Add([]byte("BC\xc0\xde"))
	f.Fuzz(func(t *testing.T, b []byte) {
		mods, err := modules(b)
		if err == nil && len(mods) == 0 {
			t.Error("no modules and no reason")
		}
	})
}

func FuzzManifest(f *testing.F) {
	f.Add(string(manifest{{bitcode: digestOf(nil), dropped: []string{"-x y"}, deps: []dep{{"/a b", digestOf(nil)}}}}.encode()))
	f.Fuzz(func(t *testing.T, s string) {
		m, err := parseManifest(s)
		if err != nil {
			return
		}
		if again, err := parseManifest(string(m.encode())); err != nil || len(again) != len(m) {
			t.Errorf("does not round-trip: %v", err)
		}
	})
}
