// Allocators and releasers of the program's own, which a model names.
#include "plumb.h"

using namespace llvm;

namespace plumb {

void planModels(Function &F, ModelPlan &Plan) {
	auto &O = Options::get();
	for (auto &BB : F)
		for (auto &I : BB) {
			auto *CB = dyn_cast<CallBase>(&I);
			if (!CB || isa<IntrinsicInst>(CB) || CB->isInlineAsm())
				continue;
			StringRef Name = calleeName(*CB);
			if (auto It = O.Allocs.find(Name); It != O.Allocs.end() && CB->getType()->isPointerTy())
				Plan.Allocs.push_back({CB, It->second});
			if (auto It = O.Frees.find(Name); It != O.Frees.end() && It->second < CB->arg_size() && CB->getArgOperand(It->second)->getType()->isPointerTy())
				Plan.Frees.push_back({CB, It->second});
		}
}

// The site is what the runtime says of the block's allocation: the call.
static Value *siteOf(Frame &Fr, IRBuilder<> &B, CallBase *CB) {
	return Fr.U.id(B, B.getInt32(Fr.site(Call, CB->getDebugLoc(), calledAs(*CB))));
}

void editModels(Frame &Fr, ModelPlan &Plan) {
	auto &U = Fr.U;
	for (auto &[CB, Arg] : Plan.Frees) {
		IRBuilder<> B(CB);
		Value *Ctx = Fr.context(B);
		B.CreateCall(U.Unblock, {CB->getArgOperand(Arg), siteOf(Fr, B, CB), Ctx});
	}
	for (auto &[CB, Arg] : Plan.Allocs) {
		Instruction *At = behind(CB);
		if (!At)
			continue;
		IRBuilder<> B(At);
		B.SetCurrentDebugLocation(CB->getDebugLoc());
		Value *Size = B.getInt64(0);
		if (Arg >= 0 && unsigned(Arg) < CB->arg_size() && CB->getArgOperand(Arg)->getType()->isIntegerTy())
			Size = B.CreateZExtOrTrunc(CB->getArgOperand(Arg), U.I64);
		B.CreateCall(U.Block, {CB, Size, siteOf(Fr, B, CB), Fr.context(B)});
	}
}

} // namespace plumb
