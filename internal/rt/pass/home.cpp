// Homes: the memory a local was loaded from or stored to. While its home keeps
// the pointer, a local that goes away loses nothing.
//
// Homes are told apart by fields of struct types and by globals, not by objects.
// What a call may do to them is known for functions of this unit: the fields they
// and their callees write. Functions that are not known, and those that release
// memory, may change a home that they can reach through an argument: one in an
// object that the function got at through the same variable. This is a choice
// between exact lines and speed.
#include "plumb.h"

using namespace llvm;

namespace plumb {

// The field or global that P is in; elements of arrays belong to the field that
// points to the array.
static Homes::Key fieldOf(const Value *P, int Depth = 0) {
	if (Depth > 4)
		return {nullptr, 0};
	if (auto *G = dyn_cast<GlobalVariable>(P)) {
		// The first field of a struct has the address of the struct.
		if (auto *T = dyn_cast<StructType>(G->getValueType()))
			return {T, 0};
		return {G, 0};
	}
	if (auto *G = dyn_cast<GEPOperator>(P)) {
		if (auto *T = dyn_cast<StructType>(G->getSourceElementType()); T && G->getNumIndices() >= 2)
			if (auto *Field = dyn_cast<ConstantInt>(G->getOperand(2)))
				return {T, unsigned(Field->getZExtValue()) * 2};
		const Value *Of = G->getPointerOperand();
		if (auto *L = dyn_cast<LoadInst>(Of)) {
			auto K = fieldOf(L->getPointerOperand(), Depth + 1);
			return K.first ? Homes::Key{K.first, K.second | 1} : K;
		}
		return fieldOf(Of, Depth + 1);
	}
	return {nullptr, 0};
}

unsigned Homes::key(const Value *P) {
	Key K = fieldOf(P);
	if (!K.first)
		return 0;
	return Keys.try_emplace(K, Keys.size() + 1).first->second;
}

Homes::Homes(Module &M) {
	DenseMap<const Function *, SmallVector<const Function *, 8>> Callers;
	std::vector<const Function *> Work;
	for (auto &F : M) {
		if (F.isDeclaration())
			continue;
		auto &E = Effects[&F];
		for (auto &BB : F)
			for (auto &I : BB) {
				if (auto *S = dyn_cast<StoreInst>(&I)) {
					if (S->getValueOperand()->getType()->isPointerTy() && !isa<AllocaInst>(S->getPointerOperand()))
						if (unsigned K = key(S->getPointerOperand()))
							E.Writes.insert(K);
				} else if (auto *CB = dyn_cast<CallBase>(&I); CB && !isHarmless(*CB)) {
					auto *Callee = dyn_cast<Function>(CB->getCalledOperand()->stripPointerCasts());
					if (Callee && !Callee->isDeclaration())
						Callers[Callee].push_back(&F);
					else if (Callee && isReleaser(Callee->getName()))
						E.Frees = true;
					else if (Callee && !isSystem(*Callee))
						E.Unknown = true;
				}
			}
		Work.push_back(&F);
	}
	while (!Work.empty()) {
		auto *F = Work.back();
		Work.pop_back();
		auto &From = Effects[F];
		for (auto *C : Callers[F]) {
			auto &To = Effects[C];
			size_t Before = To.Writes.size();
			bool Was = To.Unknown, Freed = To.Frees;
			for (unsigned K : From.Writes)
				To.Writes.insert(K);
			To.Unknown |= From.Unknown;
			To.Frees |= From.Frees;
			if (To.Writes.size() != Before || To.Unknown != Was || To.Frees != Freed)
				Work.push_back(C);
		}
	}
}

} // namespace plumb
