// LeakPoint's rules: which arithmetic keeps a value a pointer to its block.
// Adding an integer, subtracting one and masking do; the sum or difference of
// two pointers, and every other operation, do not.
#include "plumb.h"

using namespace llvm;

namespace plumb {

const Value *origin(const Value *V) {
	for (int I = 0; I < 16; I++) {
		if (auto *G = dyn_cast<GEPOperator>(V)) {
			V = G->getPointerOperand();
		} else if (isa<CastInst>(V) || isa<FreezeInst>(V)) {
			V = cast<Instruction>(V)->getOperand(0);
		} else if (auto *B = dyn_cast<BinaryOperator>(V)) {
			auto Op = B->getOpcode();
			if (Op != Instruction::Add && Op != Instruction::Sub && Op != Instruction::And)
				return V;
			bool Left = carriesPointer(B->getOperand(0)), Right = carriesPointer(B->getOperand(1));
			if (Left == Right || (Right && Op == Instruction::Sub))
				return V;
			V = B->getOperand(Left ? 0 : 1);
		} else {
			return V;
		}
	}
	return V;
}

bool carriesPointer(const Value *V, int Depth) {
	if (Depth > 6)
		return false;
	if (isa<PtrToIntInst>(V))
		return true;
	if (isa<FreezeInst>(V) || isa<BitCastInst>(V))
		return carriesPointer(cast<Instruction>(V)->getOperand(0), Depth + 1);
	// An integer variable that is given a pointer elsewhere carries it.
	if (auto *L = dyn_cast<LoadInst>(V)) {
		auto *A = dyn_cast<AllocaInst>(L->getPointerOperand());
		if (!A || !L->getType()->isIntegerTy(64))
			return false;
		for (auto *U : A->users())
			if (auto *S = dyn_cast<StoreInst>(U); S && S->getPointerOperand() == A && carriesPointer(S->getValueOperand(), Depth + 2))
				return true;
		return false;
	}
	if (auto *S = dyn_cast<SelectInst>(V))
		return carriesPointer(S->getTrueValue(), Depth + 1) || carriesPointer(S->getFalseValue(), Depth + 1);
	if (auto *P = dyn_cast<PHINode>(V)) {
		for (auto &Op : P->incoming_values())
			if (carriesPointer(Op, Depth + 2))
				return true;
		return false;
	}
	auto *B = dyn_cast<BinaryOperator>(V);
	if (!B)
		return false;
	bool Left = carriesPointer(B->getOperand(0), Depth + 1), Right = carriesPointer(B->getOperand(1), Depth + 1);
	switch (B->getOpcode()) {
	case Instruction::Add:
	case Instruction::And:
		return Left != Right;
	case Instruction::Sub:
		return Left && !Right;
	default:
		return false;
	}
}

bool sameAddress(const Value *A, const Value *B, int Depth) {
	if (A == B)
		return true;
	if (Depth > 6)
		return false;
	if (auto *L = dyn_cast<LoadInst>(A)) {
		auto *R = dyn_cast<LoadInst>(B);
		return R && sameAddress(L->getPointerOperand(), R->getPointerOperand(), Depth + 1);
	}
	auto *G = dyn_cast<GEPOperator>(A);
	auto *H = dyn_cast<GEPOperator>(B);
	if (!G || !H || G->getNumOperands() != H->getNumOperands() || G->getSourceElementType() != H->getSourceElementType())
		return false;
	for (unsigned I = 0; I < G->getNumOperands(); I++)
		if (!sameAddress(G->getOperand(I), H->getOperand(I), Depth + 1))
			return false;
	return true;
}

} // namespace plumb
