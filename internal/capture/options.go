package capture

// This file lets others read a compiler's command line with the same table.

// An Option is one option of a compiler with its arguments, or one input file.
type Option struct {
	Words []string // {"-I", "inc"}, {"-O2"}, {"a.c"}
	Input bool     // a file, or - for standard input
	Link  bool     // only the linker wants to know
}

// Options splits the words behind a compiler's name; response files are expanded
// as seen from dir. One that cannot be read stays as it is: the compiler will
// say so.
func Options(dir string, args []string) []Option {
	if words, err := expandResponse(dir, args); err == nil {
		args = words
	}
	var out []Option
	for i := 0; i < len(args); {
		if args[i] == "--" {
			for _, file := range args[i+1:] {
				out = append(out, Option{Words: []string{file}, Input: true})
			}
			break
		}
		class, n := classify(args[i:])
		out = append(out, Option{Words: args[i : i+n], Input: class == inputFile, Link: class == link})
		i += n
	}
	return out
}
