// Contexts: before a call the callee's context goes to plumb_ctx.
#include "plumb.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace plumb {

static Value *childOf(Frame &Fr, CallBase *CB) {
	auto &U = Fr.U;
	// Functions of system headers are transparent: what they call is called, for
	// the user, from where they were called.
	if (Fr.CallersLine)
		return Fr.context();
	Value *Ctx = Fr.context();
	unsigned Site = Fr.site(Call, CB->getDebugLoc(), calledAs(*CB));
	IRBuilder<> B(CB);
	// Contexts are numbered in order of appearance: the low bits spread them.
	Value *Cache = B.CreateInBoundsGEP(U.I64, U.cache(), B.CreateZExt(B.CreateAnd(Ctx, Unit::Ways - 1), U.I64));
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
	for (auto *CB : Plan.Calls) {
		Value *Child = childOf(Fr, CB);
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
