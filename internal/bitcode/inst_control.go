// This file reads calls, jumps and exception handling.

package bitcode

// Bits of the calling convention operand of calls.
const (
	ccTail         = 1 << 0
	ccInvokeTyped  = 1 << 13
	ccMustTail     = 1 << 14
	ccExplicitType = 1 << 15
	ccFastMath     = 1 << 17
)

// readCall reads
//
//	call    [attributes, cc, (fast math), type, callee, args...]
//	invoke  [attributes, cc, normal, unwind, type, callee, args...]
//	callbr  [attributes, cc, normal, n, n blocks, type, callee, args...]
func (fr *FuncReader) readCall(code uint64, o *operands, in *Inst) {
	in.Attrs = uint32(o.num())
	if uint64(in.Attrs) > uint64(len(fr.m.Attrs)) {
		fr.r.fail("attribute list %d does not exist", in.Attrs)
		return
	}
	cc := o.num()
	explicit := cc&ccExplicitType != 0
	switch code {
	case fnCall:
		in.Op = Call
		if cc&ccFastMath != 0 {
			o.num()
		}
		if cc&ccTail != 0 {
			in.Flags |= FlagTail
		}
		if cc&ccMustTail != 0 {
			in.Flags |= FlagMustTail
		}
	case fnInvoke:
		in.Op = Invoke
		fr.push(o.block(), o.block())
		explicit = cc&ccInvokeTyped != 0
	case fnCallBr:
		in.Op = CallBr
		normal := o.block()
		n := o.num()
		fr.push(ValueID(n), normal)
		for ; n > 0 && fr.r.err == nil; n-- {
			fr.push(o.block())
		}
	}
	if !explicit {
		fr.r.fail("call without an explicit type: bitcode older than LLVM 4")
		return
	}
	in.Src = o.typ()
	t := fr.Type(in.Src)
	if t.Kind != TFunc {
		fr.r.fail("call of something that is no function")
		return
	}
	in.Type = t.Elem
	callee, _ := o.typed()
	fr.push(callee)
	fr.readArgs(o, t)
}

func (fr *FuncReader) readArgs(o *operands, t *Type) {
	for _, p := range t.Elems {
		switch fr.m.Types[p].Kind {
		case TLabel:
			fr.push(o.block())
		case TMetadata:
			fr.push(fr.nextValue() - ValueID(o.num()))
		default:
			fr.push(o.value())
		}
	}
	for o.more() && fr.r.err == nil {
		if !t.VarArg {
			fr.r.fail("call with too many arguments")
			return
		}
		v, _ := o.typed()
		fr.push(v)
	}
}

func (fr *FuncReader) readJump(code uint64, o *operands, in *Inst) {
	switch code {
	case fnRet:
		in.Op = Ret
		if o.more() {
			v, ty := o.typed()
			fr.push(v)
			in.Src = ty
		}
	case fnBr:
		in.Op = Br
		fr.push(o.block())
		if o.more() {
			fr.push(o.block(), o.value())
		}
	case fnSwitch:
		in.Op, in.Src = Switch, o.typ()
		fr.push(o.value(), o.block())
		for o.more() && fr.r.err == nil {
			fr.push(o.absolute(), o.block())
		}
	case fnIndirectBr:
		in.Op = IndirectBr
		o.typ()
		fr.push(o.value())
		for o.more() && fr.r.err == nil {
			fr.push(o.block())
		}
	case fnUnreachable:
		in.Op = Unreachable
	case fnResume:
		in.Op = Resume
		v, _ := o.typed()
		fr.push(v)
	}
}

func (fr *FuncReader) readEH(code uint64, o *operands, in *Inst) {
	switch code {
	case fnLandingPad:
		in.Op, in.Type = LandingPad, o.typ()
		in.Sub = uint8(o.num() & 1)
		for n := o.num(); n > 0 && fr.r.err == nil; n-- {
			o.num() // catch or filter
			v, _ := o.typed()
			fr.push(v)
		}
	case fnCatchPad, fnCleanupPad:
		in.Op, in.Type = CatchPad, fr.tokenType()
		if code == fnCleanupPad {
			in.Op = CleanupPad
		}
		fr.push(o.value())
		for n := o.num(); n > 0 && fr.r.err == nil; n-- {
			v, _ := o.typed()
			fr.push(v)
		}
	case fnCatchSwitch:
		in.Op, in.Type = CatchSwitch, fr.tokenType()
		fr.push(o.value())
		for n := o.num(); n > 0 && fr.r.err == nil; n-- {
			fr.push(o.block())
		}
		if o.more() {
			fr.push(o.block())
			in.Flags |= FlagUnwind
		}
	case fnCatchRet, fnCleanupRet:
		in.Op = CatchRet
		if code == fnCleanupRet {
			in.Op = CleanupRet
		}
		fr.push(o.value())
		if o.more() {
			fr.push(o.block())
			in.Flags |= FlagUnwind
		}
	}
}

// tokenType returns the token type; exception pads have no other.
func (fr *FuncReader) tokenType() TypeID { return fr.makeType(TToken, 0, 0) }
