// Contexts: before a call the callee's context goes to plumb_ctx.
#include "plumb.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace plumb {

// What ends variables on the way out of a scope.
static bool cleansUp(StringRef Name) {
	return Name == "__cxa_end_catch" || (Name.starts_with("_ZN") && (Name.ends_with("D1Ev") || Name.ends_with("D2Ev")));
}

// The line of a call, or the line of the return statement for what is called
// because of it: clang gives that the line of the closing brace. The statement is
// known by the value that it computes in the same block.
DebugLoc lineOf(CallBase *CB) {
	DebugLoc L = CB->getDebugLoc();
	if (!L || !cleansUp(calleeName(*CB)))
		return L;
	const Instruction *Value = nullptr;
	if (auto *Ret = dyn_cast<ReturnInst>(CB->getParent()->getTerminator()))
		Value = dyn_cast_or_null<Instruction>(Ret->getReturnValue());
	for (auto *I = CB->getPrevNode(); I; I = I->getPrevNode()) {
		auto *St = dyn_cast<StoreInst>(I);
		bool Result = St && isa<AllocaInst>(St->getPointerOperand()) && St->getPointerOperand()->getName().starts_with("retval");
		if ((Result || I == Value) && I->getDebugLoc() && I->getDebugLoc().getLine() && I->getDebugLoc().getInlinedAt() == L.getInlinedAt())
			return I->getDebugLoc();
	}
	return L;
}

static Value *childOf(Frame &Fr, CallBase *CB, const DebugLoc &Line) {
	auto &U = Fr.U;
	// Functions of system headers are transparent: what they call is called, for
	// the user, from where they were called.
	if (Fr.isCallers(Line))
		return Fr.context();
	Value *Ctx = Fr.context();
	unsigned Site = Fr.site(Call, Line, calledAs(*CB));
	IRBuilder<> B(CB);
	// The contexts that come by one call often differ by the same stride: a product
	// spreads them, low bits do not.
	Value *Way = B.CreateLShr(B.CreateMul(Ctx, B.getInt32(0x9e3779b1)), 32 - Log2_32(Unit::Ways));
	Value *Cache = B.CreateInBoundsGEP(U.I64, U.cache(), B.CreateZExt(Way, U.I64));
	auto *Last = B.CreateAlignedLoad(U.I64, Cache, Align(8));
	Last->setAtomic(AtomicOrdering::Monotonic);
	Value *Hit = B.CreateICmpEQ(B.CreateTrunc(Last, U.I32), Ctx);
	Value *Child = B.CreateTrunc(B.CreateLShr(Last, 32), U.I32);
	auto *Head = CB->getParent();
	auto *Tail = Head->splitBasicBlock(CB->getIterator());
	auto *Miss = BasicBlock::Create(U.C, "plumb.child", &Fr.F, Tail);
	Head->getTerminator()->eraseFromParent();
	B.SetInsertPoint(Head);
	B.CreateCondBr(Hit, Tail, Miss, MDBuilder(U.C).createBranchWeights(10000, 1));
	B.SetInsertPoint(Miss);
	auto *Slow = B.CreateCall(U.Child, {Ctx, U.id(B, B.getInt32(Site)), Cache});
	Slow->setCallingConv(CallingConv::PreserveMost);
	B.CreateBr(Tail);
	IRBuilder<> P(&Tail->front());
	auto *Phi = P.CreatePHI(U.I32, 2);
	Phi->addIncoming(Child, Head);
	Phi->addIncoming(Slow, Miss);
	return Phi;
}

void editCalls(Frame &Fr, MemoryPlan &Plan) {
	for (auto &[CB, Line] : Plan.Calls) {
		Value *Child = childOf(Fr, CB, Line);
		IRBuilder<> B(CB);
		B.CreateStore(Child, B.CreateThreadLocalAddress(Fr.U.Ctx));
		// A caller that is not instrumented does not tell its callees where they
		// are called from: they must not find what was told to another one.
		Instruction *After = Options::get().Only ? behind(CB) : nullptr;
		if (After) {
			B.SetInsertPoint(After);
			B.CreateStore(Fr.context(), B.CreateThreadLocalAddress(Fr.U.Ctx));
		}
	}
}

} // namespace plumb
