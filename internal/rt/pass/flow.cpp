// Which locals need a hook: a forward dataflow over the scalar ones.
//
// A local is known (null, a parameter, an address), or borrowed: its home, the
// memory or the other local it was loaded from or stored to, still holds the same
// pointer; or it is an owner: the result of a call, or its home may have changed
// since. Only when an owner goes away can that be the loss, so only owners get
// hooks.
#include "plumb.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"

#include <map>
#include <tuple>

using namespace llvm;

namespace plumb {

namespace {

// States, ordered by join: known, borrowed from one home, from some home, owner.
enum : uint16_t { Known = 0, Some = 1, Owner = 2, FirstHome = 3 };

// A home, and the variable through which the function got at it.
struct Home {
	enum Kind { Memory, Variable, Result, Either } K; // Either: one of two, by the way taken
	unsigned Key;    // Memory: of Homes, 0: anything; Variable: the local; Either: a state, and Parent another
	int Root;        // local, or one of the next two
	uint16_t Parent; // the home of that local, 0 if it has none
};
enum : int { Nobody = -1, Global = -2 };
// How far back homes of homes are kept.
const int MaxParents = 3;

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
	explicit Flow(Frame &Fr) : Fr(Fr), N(Fr.Locals.size()), Jumps(findJumps(Fr.F)), Hands(!Fr.F.hasAddressTaken()) {}
	void run();

private:
	Frame &Fr;
	unsigned N;
	DenseMap<const Instruction *, What> Jumps;
	bool Hands; // callers are instrumented: a result that they drop is an event there
	DenseMap<const BasicBlock *, std::vector<State>> In;
	DenseMap<const Instruction *, uint16_t> Loaded;
	std::vector<Home> HomeOf; // of state FirstHome + index
	std::map<std::tuple<unsigned, int, uint16_t>, uint16_t> Interned;
	int Target = -1; // the local that is being assigned
	std::vector<State> *Now = nullptr; // state at the instruction being looked at
	DenseMap<const Instruction *, BitVector> LiveAt;
	const Instruction *At = nullptr; // being looked at
	const DIScope *LastScope = nullptr; // of the last line in this block
	bool Temporaries = false;           // some temporary ends behind its last use
	bool Blocks = false;                // some variable ends with a block and has no markers
	bool Emit = false;

	int local(const Value *P) {
		auto *A = dyn_cast<AllocaInst>(P);
		if (!A)
			return -1;
		auto It = Fr.Index.find(A);
		return It == Fr.Index.end() || !Fr.Locals[It->second].Scalar ? -1 : int(It->second);
	}
	uint16_t borrowed(Home::Kind K, unsigned Key, int Root, uint16_t Parent = 0);
	uint16_t memory(const Value *P) {
		auto [Root, Parent] = root(P, 0);
		return borrowed(Home::Memory, Fr.H.key(P), Root, Parent);
	}
	std::pair<int, uint16_t> root(const Value *P, int Depth);
	uint16_t join(uint16_t A, uint16_t B);
	bool covers(uint16_t A, uint16_t B) const;
	template <class T> bool changed(uint16_t S, T Changed) const;
	bool isHome(uint16_t S) const { return S >= FirstHome; }
	const Home &home(uint16_t S) const { return HomeOf[S - FirstHome]; }
	uint16_t classify(const Value *V, int Depth);
	template <class T> void clobber(std::vector<State> &S, T Changed);
	void clobberMemory(std::vector<State> &S, const Value *P);
	void clobberVariable(std::vector<State> &S, unsigned L);
	void clobberCall(std::vector<State> &S, CallBase &CB);
	void use(std::vector<State> &S, unsigned L, Instruction *At);
	DebugLoc endLoc(Instruction *At, What &W);
	void end(std::vector<State> &S, unsigned L, Instruction *At);
	void leaveFrame(std::vector<State> &S, CallBase &CB);
	void hand(std::vector<State> &S, const Value *V, const Value *P);
	bool isLive(unsigned L, Instruction &I);
	void findLive();
	void leave(std::vector<State> &S, Instruction &I);
	void leaving(std::vector<State> &S, Instruction &I);
	void useMemory(std::vector<State> &S, Instruction &I);
	void step(std::vector<State> &S, Instruction &I);
	void walk(std::vector<State> &S, Instruction &I);
	void jump(std::vector<State> &S, Instruction &I);
	void unwinding(std::vector<State> &S, CallBase &CB);
};

uint16_t Flow::borrowed(Home::Kind K, unsigned Key, int Root, uint16_t Parent) {
	auto [It, New] = Interned.try_emplace({Key * 4 + K, Root, Parent}, FirstHome + HomeOf.size());
	if (New) {
		if (HomeOf.size() > 60000)
			return It->second = Some;
		HomeOf.push_back({K, Key, Root, Parent});
	}
	return It->second;
}

// Whether state A is one of the homes of B.
bool Flow::covers(uint16_t B, uint16_t A) const {
	if (A == B)
		return true;
	if (!isHome(B) || home(B).K != Home::Either)
		return false;
	return covers(home(B).Key, A) || covers(home(B).Parent, A);
}

uint16_t Flow::join(uint16_t A, uint16_t B) {
	if (A == B || B == Known)
		return A;
	if (A == Known)
		return B;
	if (A == Owner || B == Owner)
		return Owner;
	if (A == Some || B == Some)
		return Some;
	if (covers(A, B))
		return A;
	if (covers(B, A))
		return B;
	// At most four: a list that grows to the left.
	if (home(B).K == Home::Either)
		return Some;
	int Length = 0;
	for (uint16_t At = A; home(At).K == Home::Either; At = home(At).Key)
		Length++;
	return Length < 3 ? borrowed(Home::Either, A, Nobody, B) : Some;
}

template <class T> bool Flow::changed(uint16_t S, T Changed) const {
	if (S == Some)
		return true;
	if (!isHome(S))
		return false;
	if (home(S).K == Home::Either)
		return changed(home(S).Key, Changed) || changed(home(S).Parent, Changed);
	return Changed(home(S));
}

// The variable from which the address P is reached, and that variable's home.
std::pair<int, uint16_t> Flow::root(const Value *P, int Depth) {
	if (Depth > 8)
		return {Nobody, 0};
	if (isa<GlobalVariable>(P))
		return {Global, 0};
	if (auto *A = dyn_cast<AllocaInst>(P)) {
		auto It = Fr.Index.find(A);
		return {It == Fr.Index.end() ? Nobody : int(It->second), 0};
	}
	if (auto *G = dyn_cast<GEPOperator>(P))
		return root(G->getPointerOperand(), Depth + 1);
	auto *L = dyn_cast<LoadInst>(P);
	if (!L)
		return {Nobody, 0};
	int V = local(L->getPointerOperand());
	if (V < 0)
		return root(L->getPointerOperand(), Depth + 1);
	uint16_t S = (*Now)[V].S;
	if (isHome(S) && home(S).K == Home::Either)
		S = Known;
	if (V == Target) // p = p->next: by way of p's own home
		return isHome(S) ? std::pair<int, uint16_t>{home(S).Root, home(S).Parent} : std::pair<int, uint16_t>{Nobody, 0};
	int Parents = 0;
	for (uint16_t Up = S; isHome(Up); Up = home(Up).Parent)
		Parents++;
	return {V, isHome(S) && Parents < MaxParents ? S : 0};
}

uint16_t Flow::classify(const Value *V, int Depth) {
	if (isa<Constant>(V) || isa<Argument>(V) || isa<AllocaInst>(V))
		return Known;
	if (Depth > 6)
		return Owner;
	if (auto *L = dyn_cast<LoadInst>(V)) {
		const Value *P = L->getPointerOperand();
		if (int V = local(P); V >= 0) {
			uint16_t S = Loaded.lookup(L);
			return S == Owner ? borrowed(Home::Variable, V, V) : S;
		}
		if (auto *A = dyn_cast<AllocaInst>(P->stripInBoundsOffsets()); A && !Fr.Index.count(A))
			return Owner; // a temporary of an atomic exchange
		return memory(P);
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

// Locals borrowed from homes that changed become owners, if they are read again:
// of one that is not, the change of the home is the loss that matters.
template <class T> void Flow::clobber(std::vector<State> &S, T Changed) {
	auto It = LiveAt.find(At);
	for (unsigned L = 0; L < N; L++)
		if (It->second.test(L) && changed(S[L].S, Changed))
			S[L].S = Owner;
}

void Flow::clobberMemory(std::vector<State> &S, const Value *P) {
	unsigned Key = Fr.H.key(P);
	bool Stack = isa<AllocaInst>(P->stripInBoundsOffsets());
	int Base = Stack ? root(P, 0).first : Nobody;
	if (Stack && Base == Nobody)
		return; // memory that nobody follows
	clobber(S, [&](const Home &H) { return H.K == Home::Memory && (!Stack || H.Root == Base) && (!Key || !H.Key || H.Key == Key); });
}

void Flow::clobberVariable(std::vector<State> &S, unsigned L) {
	for (auto &Each : S)
		if (Each.S != Some && changed(Each.S, [&](const Home &H) { return H.K == Home::Variable && H.Key == L; }))
			Each.S = Owner;
}

void Flow::clobberCall(std::vector<State> &S, CallBase &CB) {
	auto *F = dyn_cast<Function>(CB.getCalledOperand()->stripPointerCasts());
	auto *E = F ? Fr.H.effect(F) : nullptr;
	bool Reaches = !E || E->Unknown || E->Frees; // may change what it can reach
	bool Globals = E ? E->Unknown : !F || !isSystem(*F);
	SmallVector<int, 8> Given;
	for (Value *A : CB.args())
		if (A->getType()->isPointerTy())
			Given.push_back(root(A, 0).first);
	clobber(S, [&](const Home &H) {
		if (H.K != Home::Memory)
			return false;
		bool Writes = E && (!H.Key || E->Writes.contains(H.Key));
		for (const Home *Up = &H; Up; Up = isHome(Up->Parent) ? &home(Up->Parent) : nullptr) {
			if (Up->Root == Global ? Globals || Writes : Up->Root >= 0 && (Reaches || Writes) && is_contained(Given, Up->Root))
				return true;
		}
		return false;
	});
}

void Flow::use(std::vector<State> &S, unsigned L, Instruction *At) {
	if (S[L].W != Unset && Emit)
		Fr.Edits.push_back({Edit::ResetWhere, At, L, 0, false});
	S[L].W = Unset;
}

// The line of an end: that of the return or jump that the block ends in.
DebugLoc Flow::endLoc(Instruction *At, What &W) {
	auto *T = At->getParent()->getTerminator();
	W = Scope;
	if (auto *R = dyn_cast<ReturnInst>(T); R && T->getDebugLoc()) {
		W = Return;
		return returnLoc(*R);
	}
	auto J = Jumps.find(T);
	if (J != Jumps.end() && T->getDebugLoc()) {
		W = J->second;
		return T->getDebugLoc();
	}
	return At->getDebugLoc() ? At->getDebugLoc() : T->getDebugLoc();
}

void Flow::end(std::vector<State> &S, unsigned L, Instruction *At) {
	if (Emit && S[L].S == Owner) {
		What W;
		DebugLoc D = endLoc(At, W);
		Fr.Locals[L].Ends = true;
		Fr.Edits.push_back({Edit::End, At, L, Fr.site(W, D, Fr.Locals[L].Name), S[L].W == Unset});
	}
	if (Emit && S[L].W != Unset)
		Fr.Edits.push_back({Edit::ResetWhere, At, L, 0, false});
	S[L] = State();
	// What was borrowed from it, or from memory inside it, is not any more.
	clobberVariable(S, L);
	if (!Fr.Locals[L].Scalar)
		for (auto &Each : S)
			if (Each.S != Some && changed(Each.S, [&](const Home &H) { return H.K == Home::Memory && H.Root == int(L); }))
				Each.S = Owner;
}

// A pointer that a variable owns is stored: the memory is its home from now on.
void Flow::hand(std::vector<State> &S, const Value *V, const Value *P) {
	auto *L = dyn_cast<LoadInst>(origin(V));
	int From = L ? local(L->getPointerOperand()) : -1;
	if (From < 0 || S[From].S != Owner)
		return;
	if (isa<AllocaInst>(P) && P->getName().starts_with("retval")) {
		if (Hands)
			S[From].S = borrowed(Home::Result, 0, Nobody);
		return;
	}
	uint16_t To = memory(P);
	// Not if the memory is reached through the variable itself: blocks that point
	// to each other would all seem to be held.
	for (uint16_t Up = To; isHome(Up); Up = home(Up).Parent)
		if (home(Up).Root == From)
			return;
	if (isHome(To) && (home(To).Key || home(To).Root >= 0))
		S[From].S = To;
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

// Which scalars are read again before they are written: at the start of each
// block, and before each instruction that asks.
void Flow::findLive() {
	DenseMap<BasicBlock *, BitVector> LiveIn;
	auto Backward = [&](BasicBlock &BB, bool Keep) {
		BitVector Live(N);
		for (auto *Next : successors(&BB)) {
			auto It = LiveIn.find(Next);
			if (It != LiveIn.end())
				Live |= It->second;
		}
		for (auto &I : reverse(BB)) {
			// A store or call looks at what is read after it.
			bool Asks = isa<StoreInst>(I) || isa<CallBase>(I) || isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I) || I.isTerminator();
			if (Keep && Asks)
				LiveAt[&I] = Live;
			if (auto *Ld = dyn_cast<LoadInst>(&I)) {
				if (int V = local(Ld->getPointerOperand()); V >= 0)
					Live.set(V);
			} else if (auto *St = dyn_cast<StoreInst>(&I)) {
				if (int V = local(St->getPointerOperand()); V >= 0)
					Live.reset(V);
			}
		}
		return Live;
	};
	for (bool Changed = true; Changed;) {
		Changed = false;
		for (auto *BB : post_order(&Fr.F)) {
			BitVector Live = Backward(*BB, false);
			auto &In = LiveIn[BB];
			if (In.size() != N || In != Live) {
				In = std::move(Live);
				Changed = true;
			}
		}
	}
	for (auto *BB : post_order(&Fr.F))
		Backward(*BB, true);
}

// Whether L is read after I: asked of the next instruction that knows, as only
// reads between could differ.
bool Flow::isLive(unsigned L, Instruction &I) {
	for (auto It = I.getIterator(); It != I.getParent()->end(); ++It) {
		if (auto *Ld = dyn_cast<LoadInst>(&*It); Ld && Ld->getPointerOperand() == Fr.Locals[L].A)
			return true;
		if (auto *St = dyn_cast<StoreInst>(&*It); St && St->getPointerOperand() == Fr.Locals[L].A)
			return false;
		if (auto Known = LiveAt.find(&*It); Known != LiveAt.end())
			return Known->second.test(L);
	}
	return false;
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
		if (S[L].S == Owner && Fr.Locals[L].Block && !inside(D, Fr.Locals[L].Block) && !isLive(L, I))
			end(S, L, &I);
}

// A branch out of the block is a better place: its line is that of the jump or
// of the closing brace, and the paths of other blocks do not run the hook.
void Flow::leaving(std::vector<State> &S, Instruction &I) {
	if (!Blocks || !I.getDebugLoc() || I.getNumSuccessors() != 1 || I.isEHPad() || isa<InvokeInst>(I))
		return;
	DebugLoc To;
	for (auto &First : *I.getSuccessor(0))
		if (!To && !isa<PHINode>(First))
			To = First.getDebugLoc();
	for (unsigned L = 0; To && L < N; L++) {
		auto *B = Fr.Locals[L].Block;
		if (B && S[L].S == Owner && inside(I.getDebugLoc(), B) && !inside(To, B) && !isLive(L, I))
			end(S, L, &I);
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
		if (Fr.Locals[It->second].Block || Fr.Locals[It->second].LastUse)
			S[It->second].S = Owner;
	}
}

// A call that leaves the frame for good: what the locals own goes with it.
void Flow::leaveFrame(std::vector<State> &S, CallBase &CB) {
	if (!Emit || !leavesFrame(calleeName(CB)))
		return;
	for (unsigned L = 0; L < N; L++)
		if (S[L].S == Owner) {
			Fr.Locals[L].Ends = true;
			Fr.Edits.push_back({Edit::End, &CB, L, Fr.site(Unwind, CB.getDebugLoc(), Fr.Locals[L].Name), true});
		}
}

void Flow::step(std::vector<State> &S, Instruction &I) {
	At = &I;
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
			// The caller gets the value: it is not lost here.
			if (S[V].S == Owner && Hands && L->hasOneUse() && isa<ReturnInst>(L->user_back()) && L->user_back()->getParent() == L->getParent())
				S[V].S = borrowed(Home::Result, 0, Nobody);
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
			Target = V;
			uint16_t C = classify(New, 0);
			Target = -1;
			if (C != Some && changed(C, [&](const Home &H) { return H.K == Home::Variable && int(H.Key) == V; }))
				C = Owner; // from itself
			clobberVariable(S, V);
			S[V].S = C;
		} else if (St->getValueOperand()->getType()->isPointerTy()) {
			clobberMemory(S, St->getPointerOperand());
			hand(S, St->getValueOperand(), St->getPointerOperand());
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
		return clobber(S, [](const Home &H) { return H.K == Home::Memory; });
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
			clobber(S, [](const Home &H) { return H.K == Home::Memory && !H.Key; });
		}
		return;
	}
	if (auto *CB = dyn_cast<CallBase>(&I)) {
		unwinding(S, *CB);
		if (isHarmless(*CB))
			return;
		leaveFrame(S, *CB);
		clobberCall(S, *CB);
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
		leaving(S, I);
		jump(S, I);
	}
}

// One instruction, and the ends of temporaries behind it.
void Flow::walk(std::vector<State> &S, Instruction &I) {
	step(S, I);
	for (unsigned L = 0; Temporaries && L < N; L++)
		if (Fr.Locals[L].LastUse == &I) {
			At = &I;
			end(S, L, I.getNextNode());
		}
}

void Flow::run() {
	ReversePostOrderTraversal<Function *> Order(&Fr.F);
	std::vector<State> Entry(N);
	for (unsigned L = 0; L < N; L++) {
		if (!Fr.Locals[L].Scalar && !Fr.Locals[L].Marked && !Fr.Locals[L].Block)
			Entry[L].S = Owner;
		Blocks = Blocks || Fr.Locals[L].Block;
		Temporaries = Temporaries || Fr.Locals[L].LastUse;
	}
	findLive();
	In[&Fr.F.getEntryBlock()] = Entry;
	for (bool Changed = true; Changed;) {
		Changed = false;
		for (auto *BB : Order) {
			auto It = In.find(BB);
			if (It == In.end())
				continue;
			auto S = It->second;
			LastScope = nullptr;
			Now = &S;
			for (auto &I : *BB)
				walk(S, I);
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
		Now = &S;
		for (auto &I : *BB)
			walk(S, I);
	}
}

} // namespace

void flowLocals(Frame &Fr) { Flow(Fr).run(); }

} // namespace plumb
