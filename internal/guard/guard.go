// Package guard writes guarded fixes: source edits that keep, at run time, a
// record of the objects of an allocation that were not released yet, and release
// those, and only those, after their last use.
//
// What runs in the user's program is plumb_guard.h; read it first.
package guard

import _ "embed"

// Header is the text of plumb_guard.h, which guarded sources include.
//
//go:embed plumb_guard.h
var Header []byte

// HeaderName is how they include it.
const HeaderName = "plumb_guard.h"
