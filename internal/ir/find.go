// This file finds things that are not stored.

package ir

import "sort"

// BlockOf returns the block of instruction v, or 0 for parameters and constants.
func (f *Func) BlockOf(v ValueID) BlockID {
	n := len(f.Blocks) - 1
	b := sort.Search(n, func(i int) bool { return f.Blocks[i+1].End > v }) + 1
	if b > n || v < f.Blocks[b].First {
		return 0
	}
	return BlockID(b)
}

// succs returns the successors if v ends its block.
func (f *Func) succs(v ValueID) []BlockID {
	if b := f.BlockOf(v); b != 0 && f.Terminator(b) == v {
		return f.SuccsOf(b)
	}
	return nil
}

// NConsts returns the number of constants: they are the values after the parameters.
func (f *Func) NConsts() uint32 {
	if len(f.Blocks) < 2 {
		return 0
	}
	return uint32(f.Blocks[1].First) - f.NParams - 1
}

// FileOf returns the file of a location.
func (f *Func) FileOf(l LocID) FileID {
	if s := f.Locs[l].Scope; s != 0 {
		return f.Scopes[s].File
	}
	return f.File
}
