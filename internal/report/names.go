// This file makes names of C++ functions readable.

package report

import (
	"regexp"
	"strings"

	"github.com/ianlancetaylor/demangle"
)

var mangled = regexp.MustCompile(`\b_Z\w+`)

// Readable demangles the C++ names in s, without their parameters.
//
//	allocated by _Znwm → allocated by operator new
func Readable(s string) string {
	if !strings.Contains(s, "_Z") {
		return s
	}
	return mangled.ReplaceAllStringFunc(s, func(name string) string {
		return demangle.Filter(name, demangle.NoParams)
	})
}
