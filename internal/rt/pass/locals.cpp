// The locals of a function that may hold pointers, and the edits at their ends.
#include "plumb.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace plumb {

// Above this an array on the stack is not followed: clearing it would cost more
// than the function.
static const uint64_t MaxBytes = 16384;
// Up to this many words are checked one by one, which lets the optimizer keep
// the variable in registers.
static const unsigned MaxSingle = 4;
// Up to this many bytes a struct is cleared as a whole.
static const uint64_t MaxWhole = 128;

// Whether A is one word that is only loaded and stored.
static bool isScalar(const AllocaInst &A) {
	for (auto *U : A.users()) {
		if (auto *L = dyn_cast<LoadInst>(U)) {
			if (L->getType() != A.getAllocatedType())
				return false;
		} else if (auto *S = dyn_cast<StoreInst>(U)) {
			if (S->getValueOperand() == &A || S->getValueOperand()->getType() != A.getAllocatedType())
				return false;
		} else if (auto *II = dyn_cast<IntrinsicInst>(U)) {
			if (!II->isLifetimeStartOrEnd())
				return false;
		} else {
			return false;
		}
	}
	return true;
}

// An integer variable that is given the value of a pointer.
static bool keepsPointer(const AllocaInst &A) {
	for (auto *U : A.users())
		if (auto *S = dyn_cast<StoreInst>(U); S && S->getPointerOperand() == &A && carriesPointer(S->getValueOperand()))
			return true;
	return false;
}

static void words(const DataLayout &DL, Type *T, uint64_t At, SmallVectorImpl<std::pair<uint64_t, uint64_t>> &Out) {
	if (T->isPointerTy()) {
		if (!Out.empty() && Out.back().first + Out.back().second == At)
			Out.back().second += 8;
		else
			Out.push_back({At, 8});
	} else if (auto *S = dyn_cast<StructType>(T)) {
		for (unsigned I = 0; I < S->getNumElements(); I++)
			words(DL, S->getElementType(I), At + DL.getStructLayout(S)->getElementOffset(I), Out);
	} else if (auto *R = dyn_cast<ArrayType>(T)) {
		if (!R->getElementType()->isAggregateType() && !R->getElementType()->isPointerTy())
			return;
		uint64_t Size = DL.getTypeAllocSize(R->getElementType());
		for (uint64_t I = 0; I < R->getNumElements(); I++)
			words(DL, R->getElementType(), At + I * Size, Out);
	}
}

// Whether memory on the stack may come to own a pointer: its address leaves the
// function or something other than a known address is written to it.
static bool mayOwn(const Value *P, int Depth) {
	if (Depth > 6)
		return true;
	for (auto *U : P->users()) {
		if (isa<LoadInst>(U) || isa<ICmpInst>(U))
			continue;
		if (auto *S = dyn_cast<StoreInst>(U)) {
			if (S->getValueOperand() == P)
				return true;
			Type *T = S->getValueOperand()->getType();
			if ((T->isPointerTy() || T->isIntegerTy(64) || T->isAggregateType()) && !isa<Constant>(S->getValueOperand()) &&
			    !isa<AllocaInst>(S->getValueOperand()->stripInBoundsOffsets()))
				return true;
		} else if (auto *II = dyn_cast<IntrinsicInst>(U)) {
			if (II->isLifetimeStartOrEnd() || isa<MemSetInst>(II))
				continue;
			if (auto *MT = dyn_cast<MemTransferInst>(II)) {
				if (MT->getRawDest() == P && !isa<Constant>(MT->getRawSource()->stripInBoundsOffsets()))
					return true;
				continue;
			}
			return true;
		} else if (isa<GetElementPtrInst>(U)) {
			if (mayOwn(U, Depth + 1))
				return true;
		} else {
			return true;
		}
	}
	return false;
}

// Whether the function calls setjmp. It goes on there once more with what its
// variables have become, by ways that the dataflow does not see.
static bool returnsTwice(const Function &F) {
	for (auto &BB : F)
		for (auto &I : BB)
			if (auto *CB = dyn_cast<CallBase>(&I); CB && CB->hasFnAttr(Attribute::ReturnsTwice))
				return true;
	return false;
}

// The last use of a temporary that is used in one block alone; null if there is
// none behind which it could end.
static Instruction *lastUse(AllocaInst &A) {
	SmallVector<Instruction *, 8> Work{&A};
	SmallPtrSet<Instruction *, 8> Uses;
	while (!Work.empty()) {
		for (auto *U : Work.pop_back_val()->users()) {
			auto *I = cast<Instruction>(U);
			if (isa<PHINode>(I) || isa<SelectInst>(I) || Uses.size() > 64)
				return nullptr;
			if (Uses.insert(I).second && isa<GetElementPtrInst>(I))
				Work.push_back(I);
		}
	}
	Instruction *Last = nullptr;
	for (auto *I : Uses) {
		if (Last && Last->getParent() != I->getParent())
			return nullptr;
		if (!Last || Last->comesBefore(I))
			Last = I;
	}
	return Last && !Last->isTerminator() ? Last : nullptr;
}

void analyseLocals(Frame &Fr) {
	auto &DL = Fr.U.DL;
	bool Twice = returnsTwice(Fr.F);
	for (auto &I : Fr.F.getEntryBlock()) {
		auto *A = dyn_cast<AllocaInst>(&I);
		if (!A || !A->isStaticAlloca() || A->isArrayAllocation() || A->getName().starts_with("retval"))
			continue;
		if (A->getName().starts_with("cleanup.dest") || A->getName().starts_with("exn.slot"))
			continue;
		// Where clang keeps the operands of an atomic operation for a moment; what it
		// replaces is told at the operation.
		if (A->getName().starts_with(".atomictmp") || A->getName().starts_with("atomic-temp"))
			continue;
		Type *T = A->getAllocatedType();
		if (auto *S = dyn_cast<StructType>(T->isArrayTy() ? T->getArrayElementType() : T); S && S->hasName() && S->getName().contains("__va_list_tag"))
			continue; // it points to the frame alone
		auto *Var = Fr.N.variable(A);
		Local L{A, Var ? Var->getName().str() : std::string(), false};
		L.Parameter = Var && Var->isParameter();
		if (T->isPointerTy() || (T->isIntegerTy(64) && keepsPointer(*A))) {
			L.Scalar = !Twice && isScalar(*A);
			L.Words.push_back({0, 8});
		} else {
			uint64_t Size = DL.getTypeAllocSize(T);
			if (Size > MaxBytes)
				continue;
			words(DL, T, 0, L.Words);
			// A union may have the pointer as its smaller member.
			if (Var && Fr.N.holdsPointers(Var->getType()) && (L.Words.empty() || T->isStructTy()) && L.Words.size() < Size / 8) {
				bool Plain = !L.Words.empty();
				if (auto *S = dyn_cast<StructType>(T); S && Plain)
					for (auto *E : S->elements())
						Plain = Plain && !E->isAggregateType();
				if (!Plain && Size >= 8) {
					L.Words.clear();
					L.Words.push_back({0, Size / 8 * 8});
				}
			}
			if (L.Words.empty())
				continue;
		}
		if (!L.Scalar && (Fr.CallersLine || Fr.Made || !mayOwn(A, 0)))
			continue;
		for (auto *U : A->users())
			if (auto *II = dyn_cast<IntrinsicInst>(U); II && II->getIntrinsicID() == Intrinsic::lifetime_end)
				L.Marked = true;
		if (!L.Marked && !Var && !L.Scalar)
			L.LastUse = lastUse(*A);
		if (!L.Marked && Var && !isa<DISubprogram>(Var->getScope()))
			L.Block = Var->getScope();
		Fr.Index[A] = Fr.Locals.size();
		Fr.Locals.push_back(std::move(L));
	}
	flowLocals(Fr);
}

// Clears the pointer words of a local before At. A small struct is cleared as a
// whole: a callee that copies over it looks at every word, and what an earlier
// frame left in the others is no pointer that goes away.
static void clear(Frame &Fr, const Local &L, Instruction *At) {
	IRBuilder<> B(At);
	B.SetCurrentDebugLocation(DebugLoc());
	uint64_t Size = Fr.U.DL.getTypeAllocSize(L.A->getAllocatedType());
	if (L.A->getAllocatedType()->isAggregateType() && Size <= MaxWhole) {
		B.CreateMemSet(L.A, B.getInt8(0), Size, L.A->getAlign());
		return;
	}
	if (L.Words.size() > MaxSingle) {
		uint64_t First = L.Words.front().first, Last = L.Words.back().first + L.Words.back().second;
		B.CreateMemSet(B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), L.A, First), B.getInt8(0), Last - First, MaybeAlign(8));
		return;
	}
	for (auto &[At, Bytes] : L.Words) {
		Value *P = At ? B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), L.A, At) : L.A;
		if (Bytes == 8)
			B.CreateStore(L.A->getAllocatedType()->isIntegerTy() ? (Value *)B.getInt64(0) : ConstantPointerNull::get(Fr.U.Ptr), P);
		else
			B.CreateMemSet(P, B.getInt8(0), Bytes, MaybeAlign(1));
	}
}

// Reports what a local holds before At.
void dropLocal(Frame &Fr, const Local &L, Instruction *At, Value *Site) {
	IRBuilder<> B(At);
	unsigned Total = 0;
	for (auto &W : L.Words)
		Total += W.second / 8;
	if (Total > MaxSingle) {
		uint64_t First = L.Words.front().first, Last = L.Words.back().first + L.Words.back().second;
		B.CreateCall(Fr.U.DropWords, {B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), L.A, First), B.getInt64(Last - First), Fr.U.id(B, Site), Fr.context(B)})
		    ->setCallingConv(CallingConv::PreserveMost);
		return;
	}
	SmallVector<Value *, 4> Old;
	for (auto &[Start, Bytes] : L.Words)
		for (uint64_t At = Start; At < Start + Bytes; At += 8) {
			Value *P = At ? B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), L.A, At) : L.A;
			Value *V = B.CreateLoad(L.A->getAllocatedType()->isIntegerTy() ? (Type *)Fr.U.I64 : Fr.U.Ptr, P);
			Old.push_back(V);
		}
	for (auto *V : Old)
		Fr.drop(At, V, Site);
}

static AllocaInst *newSlot(Frame &Fr, const char *Name) {
	IRBuilder<> B(&*Fr.F.getEntryBlock().getFirstInsertionPt());
	return B.CreateAlloca(Fr.U.I32, nullptr, Name);
}

void editLocals(Frame &Fr) {
	auto &U = Fr.U;
	Instruction *Entry = &*Fr.F.getEntryBlock().getFirstInsertionPt();
	while (isa<AllocaInst>(Entry))
		Entry = Entry->getNextNode();
	// Which locals need clearing: those some hook reads.
	std::vector<bool> Read(Fr.Locals.size());
	for (auto &E : Fr.Edits)
		if (E.K == Edit::OverwriteLocal || E.K == Edit::End)
			Read[E.Local] = true;
	for (unsigned I = 0; I < Fr.Locals.size(); I++) {
		auto &L = Fr.Locals[I];
		if (!Read[I] && L.Scalar)
			continue;
		clear(Fr, L, Entry);
		for (auto *Each : L.A->users())
			if (auto *II = dyn_cast<IntrinsicInst>(Each); II && II->getIntrinsicID() == Intrinsic::lifetime_start)
				clear(Fr, L, II->getNextNode());
	}
	if (!Fr.UnwindFrom.empty()) {
		Fr.UnwindSite = newSlot(Fr, "plumb.unwind");
		IRBuilder<>(Entry).CreateStore(ConstantInt::get(U.I32, 0), Fr.UnwindSite);
		for (auto *I : Fr.UnwindFrom)
			IRBuilder<>(I).CreateStore(ConstantInt::get(U.I32, Fr.site(Unwind, I->getDebugLoc(), "")), Fr.UnwindSite);
	}
	auto Where = [&](unsigned L) {
		auto *&A = Fr.Locals[L].Where;
		if (!A) {
			A = newSlot(Fr, "plumb.where");
			IRBuilder<>(Entry).CreateStore(ConstantInt::get(U.I32, 0), A);
		}
		return A;
	};
	for (auto &E : Fr.Edits) {
		auto &L = Fr.Locals[E.Local];
		switch (E.K) {
		case Edit::OverwriteLocal:
			dropLocal(Fr, L, E.At, ConstantInt::get(U.I32, E.Site));
			break;
		case Edit::End: {
			Value *Site = ConstantInt::get(U.I32, E.Site);
			if (!E.Fresh) {
				IRBuilder<> B(E.At);
				Value *W = B.CreateLoad(U.I32, Where(E.Local));
				Site = B.CreateSelect(B.CreateICmpEQ(W, B.getInt32(0)), Site, W);
			}
			dropLocal(Fr, L, E.At, Site);
			// The pad of editUnwind looks at all locals: an ended one holds nothing.
			// So does one without markers, whose hook other ways may pass too; the
			// flow made sure that it is not read again.
			if ((!Fr.Throwing.empty() && E.At->isLifetimeStartOrEnd()) || (L.Block && L.Scalar && !isa<ReturnInst>(E.At)))
				clear(Fr, L, E.At);
			break;
		}
		case Edit::SetWhere: {
			if (!L.Ends)
				break;
			IRBuilder<> B(E.At);
			Value *Site = ConstantInt::get(U.I32, E.Site);
			if (!E.Fresh) {
				Value *W = B.CreateLoad(U.I32, Where(E.Local));
				Site = B.CreateSelect(B.CreateICmpEQ(W, B.getInt32(0)), Site, W);
			}
			B.CreateStore(Site, Where(E.Local));
			break;
		}
		case Edit::ResetWhere:
			if (L.Ends)
				IRBuilder<>(E.At).CreateStore(ConstantInt::get(U.I32, 0), Where(E.Local));
			break;
		case Edit::PadWhere:
			if (L.Ends && Fr.UnwindSite) {
				IRBuilder<> B(E.At->getNextNode());
				B.CreateStore(B.CreateLoad(U.I32, Fr.UnwindSite), Where(E.Local));
			}
			break;
		}
	}
}

} // namespace plumb
