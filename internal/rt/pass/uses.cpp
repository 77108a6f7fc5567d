// Last uses: reads and writes through a pointer, passes and returns of it.
//
// Only the last use can be the last one: of several in a row through the same
// variable, with no call and no other value in between, one is told. In a loop
// without calls a place tells of a pointer again only when it is another one.
#include "plumb.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace plumb {

namespace {

class Uses {
public:
	Uses(Frame &Fr, UsePlan &Plan) : Fr(Fr), Plan(Plan) {}
	void run() {
		for (auto &BB : Fr.F) {
			for (auto &I : BB)
				step(I);
			flush();
		}
	}

private:
	Frame &Fr;
	UsePlan &Plan;
	DenseMap<const Value *, unsigned> Open; // variable or value -> its use in Waiting
	std::vector<UsePlan::Use> Waiting;

	void step(Instruction &I);
	void see(Instruction &I, Value *P, What W);
	void flush() {
		for (auto &U : Waiting)
			if (U.At)
				Plan.Uses.push_back(U);
		Waiting.clear();
		Open.clear();
	}
};

// A use of P at I: replaces the one before it of the same variable.
void Uses::see(Instruction &I, Value *P, What W) {
	auto *Base = const_cast<Value *>(origin(P));
	if (isa<Constant>(Base) || isa<AllocaInst>(Base) || !Base->getType()->isPointerTy())
		return;
	const Value *Key = Base;
	if (auto *L = dyn_cast<LoadInst>(Base))
		if (auto *A = dyn_cast<AllocaInst>(L->getPointerOperand()))
			Key = A;
	auto [It, New] = Open.try_emplace(Key, Waiting.size());
	if (!New)
		Waiting[It->second].At = nullptr;
	It->second = Waiting.size();
	Waiting.push_back({&I, Base, W});
}

static bool isResult(const Value *P) {
	return isa<AllocaInst>(P) && P->getName().starts_with("retval");
}

void Uses::step(Instruction &I) {
	if (auto *L = dyn_cast<LoadInst>(&I)) {
		see(I, L->getPointerOperand(), Read);
	} else if (auto *S = dyn_cast<StoreInst>(&I)) {
		if (auto *A = dyn_cast<AllocaInst>(S->getPointerOperand())) {
			if (isResult(A) && S->getValueOperand()->getType()->isPointerTy())
				see(I, S->getValueOperand(), Give);
			// The variable has another value now: what was seen of it stays.
			Open.erase(A);
		} else {
			see(I, S->getPointerOperand(), Write);
		}
	} else if (isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I)) {
		see(I, I.getOperand(0), Write);
	} else if (auto *R = dyn_cast<ReturnInst>(&I)) {
		Value *V = R->getReturnValue();
		auto *L = dyn_cast_or_null<LoadInst>(V);
		if (V && V->getType()->isPointerTy() && !(L && isResult(L->getPointerOperand())))
			see(I, V, Give);
	} else if (auto *CB = dyn_cast<CallBase>(&I)) {
		if (CB->isInlineAsm() || I.isLifetimeStartOrEnd() || I.isDebugOrPseudoInst())
			return;
		if (auto *MI = dyn_cast<MemIntrinsic>(CB)) {
			see(I, MI->getRawDest(), Write);
			if (auto *T = dyn_cast<MemTransferInst>(MI))
				see(I, T->getRawSource(), Read);
			return;
		}
		if (isa<IntrinsicInst>(CB))
			return;
		bool Releases = isReleaser(calleeName(*CB));
		for (auto &Arg : CB->args())
			if (Arg->getType()->isPointerTy() && !Releases)
				see(I, Arg, Pass);
		// The callee may use them too, and comes after; or it does not return.
		if (!isHarmless(*CB))
			flush();
	}
}

} // namespace

static bool hasCalls(const Loop &L) {
	for (auto *BB : L.blocks())
		for (auto &I : *BB)
			if (auto *CB = dyn_cast<CallBase>(&I); CB && !isHarmless(*CB))
				return true;
	return false;
}

// Gives uses in loops without calls a slot for the pointer they told of last. It
// is empty each time the loop begins.
static void planLoops(Frame &Fr, UsePlan &Plan) {
	DominatorTree Dom(Fr.F);
	LoopInfo Loops(Dom);
	if (Loops.empty())
		return;
	DenseMap<const Loop *, bool> Calls;
	IRBuilder<> B(&Fr.F.getEntryBlock().front());
	for (auto &U : Plan.Uses) {
		auto *L = Loops.getLoopFor(U.At->getParent());
		if (!L)
			continue;
		auto [It, New] = Calls.try_emplace(L, false);
		if (New)
			It->second = hasCalls(*L);
		if (It->second)
			continue;
		U.Last = B.CreateAlloca(Fr.U.Ptr, nullptr, "plumb.last");
		for (auto *From : predecessors(L->getHeader()))
			if (!L->contains(From))
				U.Begins.push_back(From->getTerminator());
	}
}

void planUses(Frame &Fr, UsePlan &Plan) {
	if (!Options::get().LastUse)
		return;
	Uses(Fr, Plan).run();
	planLoops(Fr, Plan);
}

// Where the use is told: behind a look at the slot, if it has one.
static Instruction *unlessTold(Frame &Fr, UsePlan::Use &U) {
	if (!U.Last)
		return U.At;
	for (auto *T : U.Begins)
		IRBuilder<>(T).CreateStore(ConstantPointerNull::get(Fr.U.Ptr), U.Last);
	IRBuilder<> B(U.At);
	Value *Other = B.CreateICmpNE(U.P, B.CreateLoad(Fr.U.Ptr, U.Last));
	auto *Head = U.At->getParent();
	auto *Tail = Head->splitBasicBlock(U.At->getIterator());
	auto *Then = BasicBlock::Create(Fr.U.C, "plumb.other", &Fr.F, Tail);
	Head->getTerminator()->eraseFromParent();
	B.SetInsertPoint(Head);
	B.CreateCondBr(Other, Then, Tail);
	B.SetInsertPoint(Then);
	B.CreateStore(U.P, U.Last);
	return B.CreateBr(Tail);
}

void editUses(Frame &Fr, UsePlan &Plan) {
	for (auto &U : Plan.Uses) {
		unsigned Site = Fr.site(U.W, U.At->getDebugLoc(), Fr.N.value(U.P));
		Fr.use(unlessTold(Fr, U), U.P, Site);
	}
}

} // namespace plumb
