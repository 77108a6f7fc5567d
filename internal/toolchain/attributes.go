// This file lets attributes reach the bitcode that clang only checks.

package toolchain

import "fmt"

// AttributePrefix starts the strings that carry attributes in bitcode: as
// annotations, or as names of sections. What follows is the attribute as it is
// written: "plumb:ownership_takes malloc, 1".
const AttributePrefix = "plumb:"

// MallocAlias is a macro that an attribute malloc(f, n) can be written as where
// clang does not take arguments of it. It has as many letters.
const MallocAlias = "__plmb"

// firstAnnotating is the first clang that emits annotations of functions that are
// only declared.
const firstAnnotating = 18

// CheckFlag tells sources that plumb looks at them, and nobody runs the result.
const CheckFlag = "-D__plumb__"

// AttributeFlags returns macros that turn attributes about ownership, which leave
// no trace in bitcode, into some that do. Function-like macros leave
// __has_attribute alone, and names that are no attributes.
func (c *Clang) AttributeFlags() []string {
	carrier := "annotate"
	if c.Major < firstAnnotating {
		// A section is kept for declarations, too. Code is never made of it.
		carrier = "section"
	}
	text := func(name string) string {
		return fmt.Sprintf(`%s("%s%s " __plumb_text(__VA_ARGS__))`, carrier, AttributePrefix, name)
	}
	flags := []string{CheckFlag, "-D__plumb_text(...)=#__VA_ARGS__"}
	for _, name := range []string{"ownership_returns", "ownership_takes", "ownership_holds"} {
		flags = append(flags, "-D"+name+"(...)="+text(name), "-D__"+name+"__(...)="+text(name))
	}
	for _, name := range []string{"__malloc__", MallocAlias} {
		flags = append(flags, "-D"+name+"(...)=__malloc__,"+text("malloc"))
	}
	// The path ends in either case. This one has no arguments: what it becomes must
	// do inside of __has_attribute, too.
	flags = append(flags, "-Danalyzer_noreturn=noreturn", "-D__analyzer_noreturn__=__noreturn__")
	return flags
}

// PlainAttributeFlags is for units in which those of AttributeFlags stand where no
// section can be named. Arguments of malloc, which an older clang refuses, are
// left out.
func (c *Clang) PlainAttributeFlags() []string {
	return []string{"-D__malloc__(...)=__malloc__", "-D" + MallocAlias + "(...)=__malloc__"}
}
