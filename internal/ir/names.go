// This file spells the enums and flags of the text form.

package ir

import "fmt"

var langNames = [...]string{LangUnknown: "unknown", LangC: "c", LangCXX: "c++", LangOther: "other"}

func (l Lang) String() string {
	if int(l) >= len(langNames) {
		panic(fmt.Sprintf("ir: bad language %d", l))
	}
	return langNames[l]
}

var linkageNames = [...]string{External: "external", Internal: "internal", Weak: "weak", LinkOnce: "linkonce",
	Common: "common", AvailableExt: "available", Appending: "appending"}

func (l Linkage) String() string {
	if l == 0 || int(l) >= len(linkageNames) {
		panic(fmt.Sprintf("ir: bad linkage %d", l))
	}
	return linkageNames[l]
}

// The names of flags, lowest bit first.
var (
	funcFlagNames = []string{"decl", "variadic", "noreturn", "nounwind", "returnstwice", "intrinsic", "readonly",
		"readnone", "noalias", "nonnull", "artificial"}
	paramFlagNames = []string{"nocapture", "readonly", "nonnull", "returned", "sret", "byval", "noalias", "freed", "const"}
	memFlagNames   = []string{"volatile", "atomic"}
	callFlagNames  = []string{"noreturn", "nounwind", "tail", "musttail"}
	padFlagNames   = []string{"cleanup"}
)

// LLVM's numbering of floating-point predicates.
var fcmpNames = []string{"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "uge", "ult",
	"ule", "une", "true"}

// flagNames returns the names of the bits of an op's Sub, or nil when Sub is not a set of flags.
func (op Op) flagNames() []string {
	switch op {
	case OpLoad, OpStore:
		return memFlagNames
	case OpCall, OpInvoke, OpCallBr:
		return callFlagNames
	case OpLandingPad:
		return padFlagNames
	}
	return nil
}
