// Events at memory: stores of pointers, copies and clears of memory that holds
// pointers, atomic exchanges, library calls that overwrite a pointer, results of
// calls that nothing keeps.
#include "plumb.h"

using namespace llvm;

namespace plumb {

static const AllocaInst *stackBase(const Value *P) {
	for (int I = 0; I < 16; I++) {
		if (auto *A = dyn_cast<AllocaInst>(P))
			return A;
		auto *G = dyn_cast<GEPOperator>(P);
		if (!G)
			return nullptr;
		P = G->getPointerOperand();
	}
	return nullptr;
}

// Whether a store to P must look at the old value: not if P is on the stack and
// the dataflow or nobody follows it.
static bool followed(Frame &Fr, const Value *P) {
	auto *A = stackBase(P);
	if (!A)
		return true;
	auto It = Fr.Index.find(A);
	return It != Fr.Index.end() && !Fr.Locals[It->second].Scalar;
}

static bool isVtable(const Value *V) {
	auto *C = dyn_cast<Constant>(V);
	return C && C->stripInBoundsOffsets()->getName().starts_with("_ZTV");
}

// Whether memory holds pointers before it is overwritten as a whole.
enum Holds { No, Unknown, Yes };

static Holds holds(Frame &Fr, const Value *P, const Value *Bytes) {
	auto If = [](bool B) { return B ? Yes : No; };
	if (auto *N = dyn_cast<ConstantInt>(Bytes); N && N->getZExtValue() < 8)
		return No;
	if (stackBase(P))
		return If(followed(Fr, P));
	if (auto *CB = dyn_cast<CallBase>(P); CB && isAllocator(calleeName(*CB)))
		return No; // new memory is clear
	if (auto *A = dyn_cast<Argument>(P); A && A->hasStructRetAttr())
		return No; // the caller's variable begins with what is returned
	if (auto *T = Fr.N.pointee(P))
		return If(Fr.N.holdsPointers(T));
	if (auto *G = dyn_cast<GlobalVariable>(P))
		return If(Fr.N.holdsPointers(G->getValueType()));
	if (auto *G = dyn_cast<GEPOperator>(P); G && !G->getResultElementType()->isIntegerTy(8))
		return If(Fr.N.holdsPointers(G->getResultElementType()));
	return Unknown;
}

// Whether the value of a call is kept: stored, returned, or merged into what may be.
static bool isKept(const Value *V, SmallPtrSetImpl<const Value *> &Seen, SmallVectorImpl<const Instruction *> &Uses) {
	if (!Seen.insert(V).second || Seen.size() > 64)
		return Seen.size() > 64;
	for (auto *U : V->users()) {
		auto *I = cast<Instruction>(U);
		Uses.push_back(I);
		if (isa<StoreInst>(I) ? cast<StoreInst>(I)->getValueOperand() == V : isa<ReturnInst>(I) || isa<ResumeInst>(I))
			return true;
		if (isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I) || isa<InsertValueInst>(I))
			return true;
		if (isa<GetElementPtrInst>(I) || isa<CastInst>(I) || isa<PHINode>(I) || isa<SelectInst>(I) || isa<ExtractValueInst>(I) || isa<FreezeInst>(I) || isa<BinaryOperator>(I))
			if (isKept(I, Seen, Uses))
				return true;
	}
	return false;
}

// Functions whose result is not a block of its own.
static bool isBorrower(StringRef Name) {
	return Name == "memcpy" || Name == "memmove" || Name == "memset" || Name == "__cxa_begin_catch" || Name == "__errno_location" ||
	       Name.starts_with("__ctype_");
}

static void planResult(Frame &Fr, CallBase &CB, MemoryPlan &Plan) {
	if (!CB.getType()->isPointerTy() || isa<IntrinsicInst>(CB) || CB.isInlineAsm() || isBorrower(calleeName(CB)) || CB.isMustTailCall())
		return;
	SmallPtrSet<const Value *, 16> Seen;
	SmallVector<const Instruction *, 16> Uses;
	if (isKept(&CB, Seen, Uses))
		return;
	// After the last use in the block of the call; a use elsewhere comes later,
	// but the line is that of the call in any case.
	Instruction *At;
	BasicBlock *BB = CB.getParent();
	if (auto *I = dyn_cast<InvokeInst>(&CB)) {
		BB = I->getNormalDest();
		if (!BB->getSinglePredecessor())
			return;
		At = &*BB->getFirstInsertionPt();
	} else {
		At = CB.getNextNode();
	}
	SmallPtrSet<const Instruction *, 16> In(Uses.begin(), Uses.end());
	for (auto It = At->getIterator(); It != BB->end(); ++It)
		if (In.contains(&*It)) {
			if (!It->isTerminator()) {
				At = It->getNextNode();
			} else if (auto *I = dyn_cast<InvokeInst>(&*It); I && I->getNormalDest()->getSinglePredecessor()) {
				At = &*I->getNormalDest()->getFirstInsertionPt();
			} else {
				At = &*It;
			}
		}
	if (isa<PHINode>(At))
		At = &*At->getParent()->getFirstInsertionPt();
	Plan.Results.push_back({At, &CB});
	Plan.ResultCalls.push_back(&CB);
}

static void planOuts(CallBase &CB, MemoryPlan &Plan) {
	static const std::pair<const char *, unsigned> Overwriting[] = {
	    {"asprintf", 0}, {"vasprintf", 0}, {"__asprintf_chk", 0}, {"__vasprintf_chk", 0}, {"getaddrinfo", 3},
	    {"open_memstream", 0}, {"open_wmemstream", 0}, {"posix_memalign", 0}, {"scandir", 1}};
	StringRef Name = calleeName(CB);
	for (auto &[Each, Arg] : Overwriting)
		if (Name == Each && Arg < CB.arg_size())
			Plan.Outs.push_back({&CB, Arg});
}

// The functions behind the memory intrinsics, when called by name.
static bool isCopyCall(const CallBase &CB) {
	StringRef Name = calleeName(CB);
	return CB.arg_size() >= 3 && (Name == "memcpy" || Name == "memmove" || Name == "memset" || Name == "__memcpy_chk" || Name == "__memmove_chk" || Name == "__memset_chk");
}

static bool selfUpdate(const Value *New, const Value *Slot) {
	auto *L = dyn_cast<LoadInst>(origin(New));
	return L && sameAddress(L->getPointerOperand(), Slot);
}

MemoryPlan planMemory(Frame &Fr) {
	MemoryPlan Plan;
	for (auto &BB : Fr.F)
		for (auto &I : BB) {
			if (auto *S = dyn_cast<StoreInst>(&I)) {
				Value *V = S->getValueOperand(), *P = S->getPointerOperand();
				Type *T = V->getType();
				if (T->isAggregateType() && Fr.N.holdsPointers(T) && followed(Fr, P))
					Plan.Copies.push_back(S);
				bool Word = T->isPointerTy() ||
				            (T->isIntegerTy(64) && (S->isAtomic() || carriesPointer(V) || (stackBase(P) && followed(Fr, P)) || Fr.N.keepsPointers(P)));
				if (Word && followed(Fr, P) && !isVtable(V) && !selfUpdate(V, P))
					Plan.Stores.push_back(S);
			} else if (auto *X = dyn_cast<AtomicRMWInst>(&I)) {
				if (X->getOperation() == AtomicRMWInst::Xchg && followed(Fr, X->getPointerOperand()) && (X->getType()->isPointerTy() || X->getType()->isIntegerTy(64)))
					Plan.Atomics.push_back(X);
			} else if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I)) {
				Type *T = X->getNewValOperand()->getType();
				if (followed(Fr, X->getPointerOperand()) && (T->isPointerTy() || T->isIntegerTy(64)))
					Plan.Atomics.push_back(X);
			} else if (auto *MI = dyn_cast<MemIntrinsic>(&I)) {
				if (holds(Fr, MI->getRawDest(), MI->getLength()) != No)
					Plan.Copies.push_back(MI);
			} else if (auto *CB = dyn_cast<CallBase>(&I)) {
				if (isCopyCall(*CB)) {
					if (holds(Fr, CB->getArgOperand(0), CB->getArgOperand(2)) != No)
						Plan.Copies.push_back(CB);
					continue;
				}
				planResult(Fr, *CB, Plan);
				planOuts(*CB, Plan);
				if (!isHarmless(*CB))
					Plan.Calls.push_back({CB, lineOf(CB)});
			}
		}
	return Plan;
}

static void editStore(Frame &Fr, StoreInst *S) {
	IRBuilder<> B(S);
	Value *P = S->getPointerOperand();
	unsigned Site = Fr.site(Overwrite, S->getDebugLoc(), Fr.N.slot(P));
	if (S->isAtomic() && S->getValueOperand()->getType()->isPointerTy()) {
		// The exchange makes the old value exact when threads race.
		auto Order = S->getOrdering() == AtomicOrdering::Unordered ? AtomicOrdering::Monotonic : S->getOrdering();
		auto *X = B.CreateAtomicRMW(AtomicRMWInst::Xchg, P, S->getValueOperand(), S->getAlign(), Order, S->getSyncScopeID());
		Fr.drop(S, X, Site);
		S->eraseFromParent();
		return;
	}
	auto *Old = B.CreateAlignedLoad(S->getValueOperand()->getType(), P, S->getAlign());
	if (S->isAtomic()) // mostly a counter, for which an exchange would be dear
		Old->setAtomic(AtomicOrdering::Monotonic, S->getSyncScopeID());
	if (auto *Alias = S->getMetadata(LLVMContext::MD_tbaa))
		Old->setMetadata(LLVMContext::MD_tbaa, Alias);
	Fr.drop(S, Old, Site);
}

static void editCopy(Frame &Fr, Instruction *I) {
	Value *P, *Bytes;
	if (auto *S = dyn_cast<StoreInst>(I)) {
		P = S->getPointerOperand();
		Bytes = ConstantInt::get(Fr.U.I64, Fr.U.DL.getTypeStoreSize(S->getValueOperand()->getType()));
	} else {
		P = cast<CallBase>(I)->getArgOperand(0);
		Bytes = cast<CallBase>(I)->getArgOperand(2);
	}
	Fr.dropWords(I, P, Bytes, Fr.site(Clear, I->getDebugLoc(), Fr.N.slot(P)), holds(Fr, P, Bytes) == Unknown);
}

static void editAtomic(Frame &Fr, Instruction *I) {
	Instruction *After = I->getNextNode();
	IRBuilder<> B(After);
	Value *Old = I, *P;
	if (auto *X = dyn_cast<AtomicCmpXchgInst>(I)) {
		P = X->getPointerOperand();
		Value *V = B.CreateExtractValue(X, 0);
		Old = B.CreateSelect(B.CreateExtractValue(X, 1), V, Constant::getNullValue(V->getType()));
	} else {
		P = cast<AtomicRMWInst>(I)->getPointerOperand();
	}
	unsigned Site = Fr.site(Overwrite, I->getDebugLoc(), Fr.N.slot(P));
	Fr.drop(After, Old, Site);
}

void editMemory(Frame &Fr, MemoryPlan &Plan) {
	for (auto *S : Plan.Stores)
		editStore(Fr, cast<StoreInst>(S));
	for (auto *I : Plan.Copies)
		editCopy(Fr, I);
	for (auto *I : Plan.Atomics)
		editAtomic(Fr, I);
	for (unsigned K = 0; K < Plan.Results.size(); K++) {
		auto *CB = Plan.ResultCalls[K];
		Fr.drop(Plan.Results[K].first, CB, Fr.site(Dropped, CB->getDebugLoc(), calledAs(*CB)));
	}
	for (auto &[CB, Arg] : Plan.Outs) {
		Value *P = CB->getArgOperand(Arg);
		if (!followed(Fr, P))
			continue;
		auto *Old = IRBuilder<>(CB).CreateLoad(Fr.U.Ptr, P);
		Fr.drop(CB, Old, Fr.site(Overwrite, CB->getDebugLoc(), Fr.N.slot(P)));
	}
}

} // namespace plumb
