// This file says what words the text form is made of.

package ir

// isWordByte reports whether c may stand in a bare word.
func isWordByte(c byte) bool {
	return c == '_' || c == '.' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// isWord reports whether s can be written without quotes: letters, digits, _ and
// dots, no digit first.
func isWord(s string) bool {
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	return isSymbol(s)
}

// isSymbol reports whether s can follow @ without quotes.
func isSymbol(s string) bool {
	for i := range len(s) {
		if !isWordByte(s[i]) && s[i] != '$' {
			return false
		}
	}
	return s != ""
}
