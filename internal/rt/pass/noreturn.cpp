// Calls that do not return, such as exit. The optimizer forgets every variable
// at such a call, yet the frame is alive while the process ends, and what its
// variables hold is not lost. So the call becomes one that returns, as far as the
// optimizer knows: hooks behind it keep the variables.
#include "plumb.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace plumb {

// Functions that leave by an exception: their frames do end.
static bool throws(StringRef Name) {
	return Name.starts_with("__cxa_") || Name.starts_with("_Unwind_") || Name.starts_with("_ZSt") || Name == "__clang_call_terminate";
}

static bool staysAlive(const CallBase &CB) {
	return CB.doesNotReturn() && !CB.isInlineAsm() && !isa<IntrinsicInst>(CB) && !throws(calleeName(CB));
}

// A jump out of functions that were inlined into the one it goes to would leave no
// frames: what their variables held could not be told.
static void keepApart(Function &F) {
	bool Target = false;
	for (auto &BB : F)
		for (auto &I : BB)
			if (auto *CB = dyn_cast<CallBase>(&I))
				Target = Target || CB->hasFnAttr(Attribute::ReturnsTwice);
	for (auto &BB : F)
		for (auto &I : BB)
			if (auto *CB = dyn_cast<CallBase>(&I); Target && CB && !isa<IntrinsicInst>(CB) && !CB->hasFnAttr(Attribute::AlwaysInline))
				CB->addFnAttr(Attribute::NoInline);
}

// The call after which the block ends, if it does not return.
static CallBase *lastCall(BasicBlock &BB) {
	for (auto *I = BB.getTerminator()->getPrevNode(); I; I = I->getPrevNode()) {
		if (auto *CB = dyn_cast<CallBase>(I); CB && !isa<DbgInfoIntrinsic>(CB))
			return staysAlive(*CB) ? CB : nullptr;
		if (!isa<DbgInfoIntrinsic>(I))
			return nullptr;
	}
	return nullptr;
}

void keepFrames(Module &M) {
	for (auto &F : M)
		keepApart(F);
	SmallVector<std::pair<BasicBlock *, CallBase *>, 16> Ends;
	for (auto &F : M)
		for (auto &BB : F) {
			if (!isa<UnreachableInst>(BB.getTerminator()))
				continue;
			if (auto *CB = lastCall(BB)) {
				Ends.push_back({&BB, CB});
				continue;
			}
			// An invoke has its unreachable in the block it would return to.
			if (&BB.front() != BB.getTerminator() || pred_empty(&BB))
				continue;
			bool All = true;
			for (auto *P : predecessors(&BB)) {
				auto *I = dyn_cast<InvokeInst>(P->getTerminator());
				All = All && I && I->getNormalDest() == &BB && staysAlive(*I);
			}
			if (All)
				for (auto *P : predecessors(&BB))
					Ends.push_back({&BB, cast<CallBase>(P->getTerminator())});
		}
	for (auto &[BB, CB] : Ends) {
		CB->removeFnAttr(Attribute::NoReturn);
		auto *F = BB->getParent();
		auto *Old = dyn_cast<UnreachableInst>(BB->getTerminator());
		if (!Old)
			continue;
		IRBuilder<> B(Old);
		if (F->getReturnType()->isVoidTy()) {
			B.CreateRetVoid();
		} else {
			F->removeRetAttr(Attribute::NonNull);
			F->removeRetAttr(Attribute::Dereferenceable);
			B.CreateRet(Constant::getNullValue(F->getReturnType()));
		}
		Old->eraseFromParent();
	}
	for (auto &F : M)
		if (!F.isIntrinsic() && F.doesNotReturn() && !throws(F.getName())) {
			F.removeFnAttr(Attribute::NoReturn);
			if (F.isDeclaration())
				F.addFnAttr("no-builtins"); // or the attribute comes back by its name
		}
}

} // namespace plumb
