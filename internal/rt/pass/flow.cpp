// Which locals need a hook: a forward dataflow over the scalar ones.
//
// A local is known (null, a parameter, an address), or borrowed: loaded from
// memory whose slot still holds the same pointer, or an owner: the result of a
// call, or borrowed from a slot that may have changed since. Only when an owner
// goes away can that be the loss, so only owners get hooks.
#include "plumb.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace plumb {

namespace {

// States, ordered by join: known, borrowed by a key, borrowed by any, owner.
enum : uint16_t { Known = 0, Any = 1, Owner = 2, FirstKey = 3 };

uint16_t join(uint16_t A, uint16_t B) {
	if (A == B || B == Known)
		return A;
	if (A == Known)
		return B;
	return A == Owner || B == Owner ? Owner : Any;
}

// What the where slot may be. A break or continue counts only for variables
// whose scope it leaves (soft): the next line run inside the scope takes it back.
// A return or goto forward counts for every variable that is not used after it.
enum : uint8_t { Unset = 1, Hard = 2, Soft = 4 };

struct State {
	uint16_t S = Known;
	uint8_t W = Unset;
};

class Flow {
public:
	explicit Flow(Frame &Fr) : Fr(Fr), N(Fr.Locals.size()), Jumps(findJumps(Fr.F)) {}
	void run();

private:
	Frame &Fr;
	unsigned N;
	DenseMap<const Instruction *, What> Jumps;
	DenseMap<const BasicBlock *, std::vector<State>> In;
	DenseMap<const Instruction *, uint16_t> Loaded;
	DenseMap<std::pair<const void *, unsigned>, uint16_t> Keys;
	const DIScope *LastScope = nullptr; // of the last line in this block
	bool Blocks = false;                // some variable ends with a block and has no markers
	bool Emit = false;

	int local(const Value *P) {
		auto *A = dyn_cast<AllocaInst>(P);
		if (!A)
			return -1;
		auto It = Fr.Index.find(A);
		return It == Fr.Index.end() || !Fr.Locals[It->second].Scalar ? -1 : int(It->second);
	}
	uint16_t key(const Value *P);
	uint16_t classify(const Value *V, int Depth);
	void clobber(std::vector<State> &S, uint16_t Key);
	void use(std::vector<State> &S, unsigned L, Instruction *At);
	void end(std::vector<State> &S, unsigned L, Instruction *At);
	void leave(std::vector<State> &S, Instruction &I);
	void leaving(std::vector<State> &S, Instruction &I);
	void useMemory(std::vector<State> &S, Instruction &I);
	void step(std::vector<State> &S, Instruction &I);
	void jump(std::vector<State> &S, Instruction &I);
	void unwinding(std::vector<State> &S, CallBase &CB);
};

// Two slots with different keys do not overlap: a field of a struct type, or a global.
uint16_t Flow::key(const Value *P) {
	std::pair<const void *, unsigned> K;
	if (auto *G = dyn_cast<GEPOperator>(P)) {
		auto *T = dyn_cast<StructType>(G->getSourceElementType());
		auto *Last = dyn_cast<ConstantInt>(G->getOperand(G->getNumOperands() - 1));
		if (!T || !Last || G->getNumIndices() != 2)
			return Any;
		K = {T, unsigned(Last->getZExtValue())};
	} else if (isa<GlobalVariable>(P)) {
		K = {P, 0};
	} else {
		return Any;
	}
	return Keys.try_emplace(K, FirstKey + Keys.size()).first->second;
}

uint16_t Flow::classify(const Value *V, int Depth) {
	if (isa<Constant>(V) || isa<Argument>(V) || isa<AllocaInst>(V))
		return Known;
	if (Depth > 6)
		return Owner;
	if (auto *L = dyn_cast<LoadInst>(V)) {
		const Value *P = L->getPointerOperand();
		if (local(P) >= 0)
			return Loaded.lookup(L);
		if (auto *A = dyn_cast<AllocaInst>(P->stripInBoundsOffsets()); A && !A->getAllocatedType()->isPointerTy())
			return Any;
		return key(P);
	}
	if (auto *G = dyn_cast<GEPOperator>(V))
		return classify(G->getPointerOperand(), Depth + 1);
	if (isa<CastInst>(V) || isa<FreezeInst>(V))
		return classify(cast<Instruction>(V)->getOperand(0), Depth + 1);
	if (auto *B = dyn_cast<BinaryOperator>(V))
		return join(classify(B->getOperand(0), Depth + 1), classify(B->getOperand(1), Depth + 1));
	if (auto *S = dyn_cast<SelectInst>(V))
		return join(classify(S->getTrueValue(), Depth + 1), classify(S->getFalseValue(), Depth + 1));
	if (auto *P = dyn_cast<PHINode>(V)) {
		uint16_t R = Known;
		for (auto &Op : P->incoming_values())
			R = join(R, classify(Op, Depth + 2));
		return R;
	}
	if (auto *CB = dyn_cast<CallBase>(V); CB && CB->getIntrinsicID() == Intrinsic::threadlocal_address)
		return Known;
	return Owner;
}

void Flow::clobber(std::vector<State> &S, uint16_t Key) {
	for (auto &Each : S)
		if (Each.S == Any || (Each.S >= FirstKey && (Key == Any || Each.S == Key)))
			Each.S = Owner;
}

void Flow::use(std::vector<State> &S, unsigned L, Instruction *At) {
	if (S[L].W != Unset && Emit)
		Fr.Edits.push_back({Edit::ResetWhere, At, L, 0, false});
	S[L].W = Unset;
}

static DebugLoc endLoc(Instruction *At, bool &Returns) {
	auto *T = At->getParent()->getTerminator();
	Returns = isa<ReturnInst>(T);
	if (Returns && T->getDebugLoc())
		return T->getDebugLoc();
	return At->getDebugLoc() ? At->getDebugLoc() : T->getDebugLoc();
}

void Flow::end(std::vector<State> &S, unsigned L, Instruction *At) {
	if (Emit && S[L].S == Owner) {
		bool Returns;
		DebugLoc D = endLoc(At, Returns);
		Fr.Locals[L].Ends = true;
		Fr.Edits.push_back({Edit::End, At, L, Fr.site(Returns ? Return : Scope, D, Fr.Locals[L].Name), S[L].W == Unset});
	}
	if (Emit && S[L].W != Unset)
		Fr.Edits.push_back({Edit::ResetWhere, At, L, 0, false});
	S[L] = State();
}

// Whether a jump is a break, a continue or a goto back.
static bool isSoft(const Instruction &I) {
	const BasicBlock *BB = I.getParent(), *To = I.getSuccessor(0);
	StringRef Name = To->getName();
	if (Name.contains('.') || Name.starts_with("cleanup"))
		return true;
	for (auto *Next = BB->getNextNode(); Next; Next = Next->getNextNode())
		if (Next == To)
			return false;
	return true;
}

void Flow::jump(std::vector<State> &S, Instruction &I) {
	auto It = Jumps.find(&I);
	if (It == Jumps.end())
		return;
	for (unsigned L = 0; L < N; L++) {
		if (S[L].S != Owner || !(S[L].W & Unset))
			continue;
		if (Emit)
			Fr.Edits.push_back({Edit::SetWhere, &I, L, Fr.site(It->second, I.getDebugLoc(), Fr.Locals[L].Name), S[L].W == Unset});
		S[L].W = (S[L].W & ~Unset) | (It->second == Jump && isSoft(I) ? Soft : Hard);
	}
}

// A call that may throw tells its line first, if some local is an owner.
void Flow::unwinding(std::vector<State> &S, CallBase &CB) {
	if (!Emit || CB.doesNotThrow() || Fr.F.doesNotThrow() || CB.isInlineAsm() || isa<IntrinsicInst>(CB))
		return;
	bool Live = false;
	for (unsigned L = 0; L < N && !Live; L++)
		Live = S[L].S == Owner || !Fr.Locals[L].Scalar;
	if (!Live)
		return;
	Fr.UnwindFrom.push_back(&CB);
	if (auto *C = dyn_cast<CallInst>(&CB); C && !C->isMustTailCall())
		Fr.Throwing.push_back(C);
}

static bool inside(const DebugLoc &L, const DILocalScope *Block) {
	for (const DIScope *S = L->getScope(); S; S = S->getScope()) {
		if (S == Block)
			return true;
		if (isa<DISubprogram>(S))
			return false;
	}
	return false;
}

// Variables without markers end where a line outside their block is run.
void Flow::leave(std::vector<State> &S, Instruction &I) {
	const DebugLoc &D = I.getDebugLoc();
	if (!Blocks || !D || D.getLine() == 0 || D->getScope() == LastScope)
		return;
	LastScope = D->getScope();
	for (unsigned L = 0; L < N; L++)
		if (S[L].S == Owner && Fr.Locals[L].Block && !inside(D, Fr.Locals[L].Block))
			end(S, L, &I);
}

// The branch that leaves the block tells its line: that of the closing brace, as
// a rule.
void Flow::leaving(std::vector<State> &S, Instruction &I) {
	if (!Blocks || !I.getDebugLoc() || I.getNumSuccessors() != 1)
		return;
	DebugLoc To;
	for (auto &First : *I.getSuccessor(0))
		if (!To && !isa<PHINode>(First))
			To = First.getDebugLoc();
	for (unsigned L = 0; To && L < N; L++) {
		auto *B = Fr.Locals[L].Block;
		if (!B || S[L].S != Owner || !(S[L].W & Unset) || !inside(I.getDebugLoc(), B) || inside(To, B))
			continue;
		if (Emit)
			Fr.Edits.push_back({Edit::SetWhere, &I, L, Fr.site(Scope, I.getDebugLoc(), Fr.Locals[L].Name), S[L].W == Unset});
		S[L].W = (S[L].W & ~Unset) | Hard;
	}
}

// A use of a variable in memory: its address, or one inside it, is an operand.
void Flow::useMemory(std::vector<State> &S, Instruction &I) {
	for (Value *Op : I.operands()) {
		if (!Op->getType()->isPointerTy())
			continue;
		auto *A = dyn_cast<AllocaInst>(Op->stripInBoundsOffsets());
		auto It = A ? Fr.Index.find(A) : Fr.Index.end();
		if (It == Fr.Index.end() || Fr.Locals[It->second].Scalar)
			continue;
		use(S, It->second, &I);
		if (Fr.Locals[It->second].Block)
			S[It->second].S = Owner;
	}
}

void Flow::step(std::vector<State> &S, Instruction &I) {
	bool Pad = isa<PHINode>(I) || I.isEHPad(); // nothing goes before these
	if (!Pad)
		leave(S, I);
	if (!Pad && I.getDebugLoc() && !I.isLifetimeStartOrEnd() && !I.getParent()->getName().starts_with("cleanup"))
		for (unsigned L = 0; L < N; L++)
			if (S[L].W == Soft || S[L].W == (Soft | Unset))
				use(S, L, &I);
	if ((isa<LoadInst>(I) || isa<StoreInst>(I) || isa<CallBase>(I)) && !I.isLifetimeStartOrEnd())
		useMemory(S, I);
	if (auto *L = dyn_cast<LoadInst>(&I)) {
		int V = local(L->getPointerOperand());
		if (V >= 0) {
			Loaded[L] = join(Loaded.lookup(L), S[V].S);
			use(S, V, L);
		}
		return;
	}
	if (auto *St = dyn_cast<StoreInst>(&I)) {
		int V = local(St->getPointerOperand());
		if (V >= 0) {
			const Value *New = St->getValueOperand();
			if (Emit && S[V].S == Owner) {
				auto *From = dyn_cast<LoadInst>(origin(New));
				if (!From || local(From->getPointerOperand()) != V)
					Fr.Edits.push_back({Edit::OverwriteLocal, St, unsigned(V), Fr.site(Overwrite, St->getDebugLoc(), Fr.Locals[V].Name), false});
			}
			use(S, V, St);
			S[V].S = classify(New, 0);
		} else if (St->getValueOperand()->getType()->isPointerTy()) {
			clobber(S, key(St->getPointerOperand()));
		}
		return;
	}
	if (isa<LandingPadInst>(I)) {
		for (unsigned L = 0; L < N; L++) {
			if (S[L].S != Owner)
				continue;
			if (Emit)
				Fr.Edits.push_back({Edit::PadWhere, &I, L, 0, false});
			S[L].W = Hard;
		}
		return;
	}
	if (isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I))
		return clobber(S, Any);
	if (auto *II = dyn_cast<IntrinsicInst>(&I)) {
		auto Id = II->getIntrinsicID();
		if (Id == Intrinsic::lifetime_start || Id == Intrinsic::lifetime_end) {
			int V = local(II->getArgOperand(II->arg_size() - 1));
			if (V < 0) {
				auto *A = dyn_cast<AllocaInst>(II->getArgOperand(II->arg_size() - 1));
				auto It = A ? Fr.Index.find(A) : Fr.Index.end();
				if (It == Fr.Index.end())
					return;
				V = It->second;
				if (Id == Intrinsic::lifetime_start)
					S[V].S = Owner; // memory: may hold anything
			}
			if (Id == Intrinsic::lifetime_end)
				end(S, V, II);
			else
				use(S, V, II);
			if (Fr.Locals[V].Scalar)
				S[V].S = Known;
		} else if (isa<MemIntrinsic>(II)) {
			clobber(S, Any);
		}
		return;
	}
	if (auto *CB = dyn_cast<CallBase>(&I)) {
		unwinding(S, *CB);
		if (isHarmless(*CB))
			return;
		clobber(S, Any);
		if (isReleaser(calleeName(*CB)) && CB->arg_size() > 0)
			if (auto *L = dyn_cast<LoadInst>(CB->getArgOperand(0)))
				if (int V = local(L->getPointerOperand()); V >= 0)
					S[V].S = Known;
	}
	if (isa<ReturnInst>(I) || isa<ResumeInst>(I) || isa<UnreachableInst>(I)) {
		// Variables without markers end here. Before unreachable the frame stays
		// alive: see editLocals.
		for (unsigned L = 0; L < N; L++)
			if (S[L].S == Owner)
				end(S, L, &I);
		return;
	}
	if (I.isTerminator()) {
		jump(S, I);
		leaving(S, I);
	}
}

void Flow::run() {
	ReversePostOrderTraversal<Function *> Order(&Fr.F);
	std::vector<State> Entry(N);
	for (unsigned L = 0; L < N; L++) {
		if (!Fr.Locals[L].Scalar && !Fr.Locals[L].Marked && !Fr.Locals[L].Block)
			Entry[L].S = Owner;
		Blocks = Blocks || Fr.Locals[L].Block;
	}
	In[&Fr.F.getEntryBlock()] = Entry;
	for (bool Changed = true; Changed;) {
		Changed = false;
		for (auto *BB : Order) {
			auto It = In.find(BB);
			if (It == In.end())
				continue;
			auto S = It->second;
			LastScope = nullptr;
			for (auto &I : *BB)
				step(S, I);
			for (auto *Next : successors(BB)) {
				auto [To, New] = In.try_emplace(Next, S);
				if (New) {
					Changed = true;
					continue;
				}
				for (unsigned L = 0; L < N; L++) {
					State &T = To->second[L];
					uint16_t J = join(T.S, S[L].S);
					uint8_t W = T.W | S[L].W;
					if (J != T.S || W != T.W) {
						T.S = J;
						T.W = W;
						Changed = true;
					}
				}
			}
		}
	}
	Emit = true;
	for (auto *BB : Order) {
		auto It = In.find(BB);
		if (It == In.end())
			continue;
		auto S = It->second;
		LastScope = nullptr;
		for (auto &I : *BB)
			step(S, I);
	}
}

} // namespace

void flowLocals(Frame &Fr) { Flow(Fr).run(); }

} // namespace plumb
