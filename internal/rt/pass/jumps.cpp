// Which branches are jumps that the programmer wrote: return, break, continue,
// goto. The front end leaves no mark, but its blocks have telling names (they
// are kept by -fno-discard-value-names), and a jump out of a scope with cleanups
// stores its destination first.
#include "plumb.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace plumb {

// A name without the number that makes it unique.
static StringRef stem(StringRef S) { return S.rtrim("0123456789"); }

static bool isSlot(const Value *P, StringRef Name) {
	return isa<AllocaInst>(P) && stem(P->getName()) == Name;
}

// The names of blocks that the front end makes; any other is a label.
static bool isMade(StringRef S) {
	return S.contains('.') || S == "cleanup" || S == "return" || S == "entry" || S == "unreachable" || S == "lpad" || S == "catch" ||
	       S == "rethrow" || S == "finally" || S == "invoke" || S == "indirectgoto" || S.empty();
}

// Where destructors run on the way out, the return has the line of the closing
// brace; the value it returns was computed in the statement.
DebugLoc returnLoc(const ReturnInst &R) {
	DebugLoc L = R.getDebugLoc();
	auto *V = dyn_cast_or_null<Instruction>(R.getReturnValue());
	if (!L || !V || !V->getDebugLoc() || V->getDebugLoc().getLine() >= L.getLine())
		return L;
	auto *Ld = dyn_cast<LoadInst>(V);
	return Ld && isSlot(Ld->getPointerOperand(), "retval") ? L : V->getDebugLoc();
}

DenseMap<const Instruction *, What> findJumps(Function &F) {
	DenseMap<const Instruction *, What> Jumps;
	for (auto &BB : F) {
		auto *Br = dyn_cast<BranchInst>(BB.getTerminator());
		if (!Br || Br->isConditional())
			continue;
		auto *To = Br->getSuccessor(0);
		StringRef Target = stem(To->getName());
		bool Next = BB.getNextNode() == To;
		// The last store before the branch says whether it leaves a scope or returns.
		const StoreInst *Dest = nullptr, *Result = nullptr;
		for (auto &I : reverse(BB)) {
			if (auto *St = dyn_cast<StoreInst>(&I)) {
				if (isSlot(St->getPointerOperand(), "cleanup.dest.slot"))
					Dest = Dest ? Dest : St;
				else if (isSlot(St->getPointerOperand(), "retval"))
					Result = Result ? Result : St;
			} else if (isa<CallBase>(I) && !isa<IntrinsicInst>(I)) {
				break;
			}
		}
		if (Dest) {
			auto *Number = dyn_cast<ConstantInt>(Dest->getValueOperand());
			if (!Number || Number->isZero())
				continue;
			if (stem(BB.getName()) == "for.cond.cleanup")
				continue;
			Jumps[Br] = Result || Target == "return" || Number->isOne() ? Return : Jump;
			continue;
		}
		if (Target == "return" || (Result && Target == "cleanup")) {
			Jumps[Br] = Return;
			continue;
		}
		if (!Br->getDebugLoc() || Next)
			continue;
		StringRef From = stem(BB.getName());
		bool Break = Target.ends_with(".end") && (Target == "while.end" || Target == "for.end" || Target == "do.end");
		bool Continue = Target == "for.inc" || Target == "while.cond" || Target == "do.cond" || Target == "for.cond";
		if (Continue && (From == "for.inc" || From == "entry"))
			continue;
		// The branch back at the end of a while body has the loop's own line.
		if (Continue && Target == "while.cond" && !To->empty() && To->getTerminator()->getDebugLoc() &&
		    To->getTerminator()->getDebugLoc().getLine() == Br->getDebugLoc().getLine())
			continue;
		if (Continue && Target == "while.cond" && From == "while.end")
			continue;
		if (Break || Continue || Target == "sw.epilog" || !isMade(Target))
			Jumps[Br] = Jump;
	}
	return Jumps;
}

} // namespace plumb
