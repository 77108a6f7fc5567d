// One function: analysis, then edits; and the two calls that all edits use.
#include "plumb.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace plumb {

// As PLUMB_HEAP_SHIFT and PLUMB_HEAP_TAG of abi.h.
static const unsigned HeapShift = 42, HeapTag = 4;

Value *Frame::context() {
	if (!Ctx) {
		Instruction *At = &*F.getEntryBlock().getFirstInsertionPt();
		while (isa<AllocaInst>(At))
			At = At->getNextNode();
		IRBuilder<> B(At);
		B.SetCurrentDebugLocation(DebugLoc());
		Ctx = B.CreateLoad(U.I32, B.CreateThreadLocalAddress(U.Ctx), "plumb.ctx");
	}
	return Ctx;
}

void Frame::drop(Instruction *At, Value *Old, unsigned Site) { drop(At, Old, ConstantInt::get(U.I32, Site)); }

void Frame::drop(Instruction *At, Value *Old, Value *SiteIndex) {
	if (isa<Constant>(Old))
		return;
	context();
	IRBuilder<> B(At);
	DebugLoc L = At->getDebugLoc();
	if (!L && F.getSubprogram()) // a call needs a line in a function with debug info
		L = DILocation::get(U.C, 0, 0, F.getSubprogram());
	B.SetCurrentDebugLocation(L);
	Old = B.CreateFreeze(Old);
	Value *Word = Old->getType()->isPointerTy() ? B.CreatePtrToInt(Old, U.I64) : Old;
	Value *In = B.CreateICmpEQ(B.CreateLShr(Word, HeapShift), B.getInt64(HeapTag));
	auto *Head = At->getParent();
	auto *Tail = Head->splitBasicBlock(At->getIterator());
	auto *Then = BasicBlock::Create(U.C, "plumb.drop", &F, Tail);
	Head->getTerminator()->eraseFromParent();
	B.SetInsertPoint(Head);
	B.CreateCondBr(In, Then, Tail, MDBuilder(U.C).createBranchWeights(1, 100));
	B.SetInsertPoint(Then);
	if (!Old->getType()->isPointerTy())
		Old = B.CreateIntToPtr(Old, U.Ptr);
	B.CreateCall(U.Drop, {Old, U.id(B, SiteIndex), Ctx})->setCallingConv(CallingConv::PreserveMost);
	B.CreateBr(Tail);
}

void Frame::dropWords(Instruction *At, Value *P, Value *Bytes, unsigned Site) {
	context();
	IRBuilder<> B(At);
	if (!At->getDebugLoc() && F.getSubprogram())
		B.SetCurrentDebugLocation(DILocation::get(U.C, 0, 0, F.getSubprogram()));
	Bytes = B.CreateZExtOrTrunc(Bytes, U.I64);
	B.CreateCall(U.DropWords, {P, Bytes, U.id(B, ConstantInt::get(U.I32, Site)), Ctx})->setCallingConv(CallingConv::PreserveMost);
}

// Whether a function that the compiler made does what the user wrote elsewhere: a
// constructor with the initialisers of members. The rest of it has the class's line.
static bool initialises(const Function &F) {
	for (auto &BB : F)
		for (auto &I : BB)
			if (auto *CB = dyn_cast<CallBase>(&I); CB && !isa<IntrinsicInst>(CB) && CB->getDebugLoc())
				if (unsigned Line = CB->getDebugLoc().getLine(); Line && Line != F.getSubprogram()->getLine())
					return true;
	return false;
}

// Headers that the user did not write, and functions that the compiler made:
// what happens in them happens, for the user, on the line of the call.
static bool isForeign(const Function &F) {
	auto *SP = F.getSubprogram();
	if (!SP || SP->getLine() == 0 || (SP->isArtificial() && !initialises(F)))
		return true;
	// The deleting destructor has the line of the class.
	StringRef Name = F.getName();
	if (Name.starts_with("_ZN") && Name.ends_with("D0Ev"))
		return true;
	if (!SP->getFile())
		return true;
	StringRef File = SP->getFile()->getFilename();
	return File.starts_with("/usr/include/") || File.starts_with("/usr/lib/") || File.starts_with("/usr/local/include/") ||
	       File.contains("/include/c++/");
}

void instrument(Function &F, Unit &U, Names &N) {
	if (F.isDeclaration() || F.hasAvailableExternallyLinkage() || F.hasFnAttribute(Attribute::Naked) ||
	    F.getName().starts_with("plumb_") || F.getName().starts_with("plumb."))
		return;
	N.enter(F);
	replaceRequests(F, U);
	Frame Fr(F, U, N, isForeign(F));
	analyseLocals(Fr);
	auto Plan = planMemory(Fr);
	if (Fr.Edits.empty() && Plan.empty() && !destroysPointers(F))
		return;
	editDestroy(Fr);
	editMemory(Fr, Plan);
	editLocals(Fr);
	editCalls(Fr, Plan);
	editUnwind(Fr);
}

} // namespace plumb
