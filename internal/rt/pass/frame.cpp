// One function: analysis, then edits; and the two calls that all edits use.
#include "plumb.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace plumb {

// As PLUMB_HEAP_SHIFT and PLUMB_HEAP_TAG of abi.h.
static const unsigned HeapShift = 42, HeapTag = 4;

// In a function that calls nothing the context stays where it is: it is read
// when a hook is taken.
Value *Frame::context(IRBuilder<> &B) {
	if (Leaf)
		return B.CreateLoad(U.I32, B.CreateThreadLocalAddress(U.Ctx), "plumb.ctx");
	return context();
}

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

void Frame::drop(Instruction *At, Value *Old, Value *SiteIndex) { tell(U.Drop, At, Old, SiteIndex); }

void Frame::use(Instruction *At, Value *P, unsigned Site) { tell(U.Use, At, P, ConstantInt::get(U.I32, Site)); }

void Frame::tell(FunctionCallee Hook, Instruction *At, Value *P, Value *SiteIndex) {
	if (isa<Constant>(P))
		return;
	if (!Leaf)
		context();
	IRBuilder<> B(At);
	DebugLoc L = At->getDebugLoc();
	if (!L && F.getSubprogram()) // a call needs a line in a function with debug info
		L = DILocation::get(U.C, 0, 0, F.getSubprogram());
	B.SetCurrentDebugLocation(L);
	P = B.CreateFreeze(P);
	Value *Word = P->getType()->isPointerTy() ? B.CreatePtrToInt(P, U.I64) : P;
	Value *In = B.CreateICmpEQ(B.CreateLShr(Word, HeapShift), B.getInt64(HeapTag));
	auto *Head = At->getParent();
	auto *Tail = Head->splitBasicBlock(At->getIterator());
	auto *Then = BasicBlock::Create(U.C, "plumb.tell", &F, Tail);
	Head->getTerminator()->eraseFromParent();
	B.SetInsertPoint(Head);
	B.CreateCondBr(In, Then, Tail, MDBuilder(U.C).createBranchWeights(1, 100));
	B.SetInsertPoint(Then);
	if (!P->getType()->isPointerTy())
		P = B.CreateIntToPtr(P, U.Ptr);
	B.CreateCall(Hook, {P, U.id(B, SiteIndex), context(B)})->setCallingConv(CallingConv::PreserveMost);
	B.CreateBr(Tail);
}

void Frame::dropWords(Instruction *At, Value *P, Value *Bytes, unsigned Site, bool Untyped) {
	if (!Leaf)
		context();
	IRBuilder<> B(At);
	if (!At->getDebugLoc() && F.getSubprogram())
		B.SetCurrentDebugLocation(DILocation::get(U.C, 0, 0, F.getSubprogram()));
	Bytes = B.CreateZExtOrTrunc(Bytes, U.I64);
	B.CreateCall(Untyped ? U.DropUntyped : U.DropWords, {P, Bytes, U.id(B, ConstantInt::get(U.I32, Site)), context(B)})->setCallingConv(CallingConv::PreserveMost);
}

// Headers that the user did not write, and functions that the compiler made:
// what happens in them happens, for the user, on the line of the call.
static bool isMade(const Function &F) {
	// The deleting destructor has the line of the class.
	auto *SP = F.getSubprogram();
	return SP && (SP->isArtificial() || (F.getName().starts_with("_ZN") && F.getName().ends_with("D0Ev")));
}

// Lines in a function that the compiler made are the class's, but for what the
// class itself says: initialisers of members.
bool Frame::isCallers(const DebugLoc &L) const {
	if (!Made)
		return CallersLine;
	auto *SP = F.getSubprogram();
	return CallersLine || !L || L.getLine() == 0 || L.getLine() == SP->getLine() || L.getLine() == SP->getScopeLine();
}

bool isSystem(const Function &F) {
	auto *SP = F.getSubprogram();
	if (!SP || SP->getLine() == 0 || !SP->getFile())
		return true;
	StringRef File = SP->getFile()->getFilename();
	return File.starts_with("/usr/include/") || File.starts_with("/usr/lib/") || File.starts_with("/usr/local/include/") ||
	       File.contains("/include/c++/");
}

void instrument(Function &F, Unit &U, Names &N, Homes &H) {
	if (F.isDeclaration() || F.hasAvailableExternallyLinkage() || F.hasFnAttribute(Attribute::Naked) ||
	    F.getName().starts_with("plumb_") || F.getName().starts_with("plumb."))
		return;
	N.enter(F);
	replaceRequests(F, U);
	Frame Fr(F, U, N, H, isSystem(F), isMade(F));
	analyseLocals(Fr);
	auto Plan = planMemory(Fr);
	ModelPlan Models;
	planModels(F, Models);
	UsePlan Uses;
	planUses(Fr, Uses);
	editThread(Fr);
	if (Fr.Edits.empty() && Plan.empty() && Models.empty() && Uses.Uses.empty() && !destroysPointers(F))
		return;
	Fr.Leaf = Plan.Calls.empty();
	editDestroy(Fr); // at the entry: before others put the context there
	editUses(Fr, Uses);
	editModels(Fr, Models);
	editMemory(Fr, Plan);
	editLocals(Fr);
	editCalls(Fr, Plan);
	editUnwind(Fr);
}

} // namespace plumb
