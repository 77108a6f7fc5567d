// Package oracle reads the output of other tools, so that tests can hold plumb
// against them.
package oracle

import (
	"bufio"
	"io"
	"strings"
)

// Counts is how often each function of a module uses each opcode.
type Counts map[string]map[string]int

// Total adds up all functions.
func (c Counts) Total() int {
	n := 0
	for _, ops := range c {
		for _, k := range ops {
			n += k
		}
	}
	return n
}

// Add counts one instruction.
func (c Counts) Add(fn, op string) {
	ops := c[fn]
	if ops == nil {
		ops = map[string]int{}
		c[fn] = ops
	}
	ops[op]++
}

// CountDis counts the instructions in the text that llvm-dis prints.
//
// It relies on the layout of that text: an instruction starts after exactly two
// spaces; continuation lines, switch cases and debug records are indented more.
func CountDis(r io.Reader) (Counts, error) {
	c := Counts{}
	fn := ""
	sc := bufio.NewScanner(r)
	sc.Buffer(make([]byte, 1<<20), 1<<28)
	for sc.Scan() {
		line := sc.Text()
		switch {
		case strings.HasPrefix(line, "define "):
			fn = definedName(line)
		case line == "}":
			fn = ""
		case fn != "" && len(line) > 2 && line[:2] == "  " && line[2] != ' ' && line[2] != ']' && line[2] != '#' && line[2] != ';':
			c.Add(fn, mnemonic(line[2:]))
		}
	}
	return c, sc.Err()
}

// definedName returns the name in a define line, without quotes.
func definedName(line string) string {
	i := strings.IndexByte(line, '@')
	rest := line[i+1:]
	if strings.HasPrefix(rest, `"`) {
		return unescape(rest[1 : 1+strings.IndexByte(rest[1:], '"')])
	}
	return rest[:strings.IndexByte(rest, '(')]
}

// unescape undoes \XX in a quoted name.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+2 < len(s) {
			b.WriteByte(hex(s[i+1])<<4 | hex(s[i+2]))
			i += 2
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func hex(c byte) byte {
	if c >= 'A' {
		return c&^0x20 - 'A' + 10
	}
	return c - '0'
}

// mnemonic returns the opcode of an instruction line.
func mnemonic(s string) string {
	if s[0] == '%' {
		name := 1
		if s[1] == '"' {
			name = 2 + strings.IndexByte(s[2:], '"')
		}
		s = s[name+strings.Index(s[name:], " = ")+3:]
	}
	w := strings.Fields(s)
	switch w[0] {
	case "tail", "musttail", "notail":
		return w[1]
	}
	return strings.TrimSuffix(w[0], ",")
}
