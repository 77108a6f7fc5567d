// Code that means more than it says: requests to valgrind, and functions of the
// C++ library that end the lifetime of pointers in memory that lives on.
#include "plumb.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace plumb {

// The sequence of instructions in valgrind's headers for amd64: it does nothing,
// except under valgrind. Operands are the request and the default answer.
static bool isRequest(const CallBase &CB) {
	auto *A = dyn_cast<InlineAsm>(CB.getCalledOperand());
	if (!A || CB.arg_size() != 2 || !CB.getType()->isIntegerTy(64) || !CB.getArgOperand(0)->getType()->isPointerTy())
		return false;
	StringRef S = A->getAsmString();
	return S.contains("rolq $$3,") && S.contains("rolq $$13,") && S.contains("rolq $$61,") && S.contains("rolq $$51,") && S.contains("xchgq %rbx,%rbx");
}

void replaceRequests(Function &F, Unit &U) {
	SmallVector<CallInst *, 4> Requests;
	for (auto &BB : F)
		for (auto &I : BB)
			if (auto *C = dyn_cast<CallInst>(&I); C && isRequest(*C))
				Requests.push_back(C);
	for (auto *C : Requests) {
		IRBuilder<> B(C);
		C->replaceAllUsesWith(B.CreateCall(U.Valgrind, {C->getArgOperand(1), C->getArgOperand(0)}));
		C->eraseFromParent();
	}
}

// What a library function of this name destroys, if it is pointers: a range, by
// its first two arguments, or one element.
enum Destroys { Nothing, Range, First, Second };

static Destroys destroys(const Function &F) {
	StringRef N = F.getName();
	auto Takes = [&](unsigned I) { return I < F.arg_size() && F.getArg(I)->getType()->isPointerTy(); };
	if (N.starts_with("_ZSt8_DestroyIPP") && Takes(0) && Takes(1)) // std::_Destroy<T **>
		return Range;
	if (N.starts_with("_ZSt10destroy_atIP") && Takes(0)) // std::destroy_at<T *>
		return First;
	// allocator_traits<allocator<T *>>::destroy, of both libraries
	if (N.contains("7destroy") && (N.contains("16allocator_traitsISaIP") || N.contains("16allocator_traitsINS_9allocatorIP")) && Takes(1))
		return Second;
	return Nothing;
}

bool destroysPointers(const Function &F) { return destroys(F) != Nothing; }

// The words are reported and cleared: a container that keeps its memory would
// keep the pointers reachable.
void editDestroy(Frame &Fr) {
	auto Kind = destroys(Fr.F);
	if (Kind == Nothing)
		return;
	// Behind the context, which another hook may have asked for.
	Instruction *At = cast<Instruction>(Fr.context())->getNextNode();
	unsigned Site = Fr.site(Clear, DebugLoc(), "");
	IRBuilder<> B(At);
	Value *P = Fr.F.getArg(Kind == Second ? 1 : 0), *Bytes = B.getInt64(8);
	if (Kind == Range)
		Bytes = B.CreateSub(B.CreatePtrToInt(Fr.F.getArg(1), Fr.U.I64), B.CreatePtrToInt(P, Fr.U.I64));
	Fr.dropWords(At, P, Bytes, Site);
	B.SetInsertPoint(At);
	B.CreateMemSet(P, B.getInt8(0), Bytes, MaybeAlign(8));
}

} // namespace plumb
