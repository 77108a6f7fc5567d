// What the files of the pass share. The pass adds to each function the calls of
// ../csrc/abi.h; that header says what they mean.
//
// Order of work for a module: options, models, then for each function analysis
// of the untouched code (locals, calls, jumps), then the edits, then the unit's
// table. Analysis never sees code that the pass wrote.
#ifndef PLUMB_PASS_H
#define PLUMB_PASS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace plumb {

// As enum plumb_what of abi.h.
enum What {
	Call = 1,
	Overwrite,
	Scope,
	Return,
	Jump,
	Dropped,
	Clear,
	Unwind,
	Release,
	ThreadEnd,
	Read,
	Write,
	Pass,
	Give,
};

// Settings, from the environment variable PLUMB_PASS.
struct Options {
	bool LastUse = false;
	llvm::StringMap<int> Allocs;   // name -> number of the size argument, -1: none
	llvm::StringMap<unsigned> Frees; // name -> number of the pointer argument
	bool Only = false;             // instrument only what the next two name
	std::vector<std::pair<std::string, std::string>> OnlyFunctions; // file, name
	std::vector<std::pair<std::string, unsigned>> OnlyAllocs;       // file, line
	static const Options &get();
};
bool isWanted(const llvm::Function &);            // --only-reported asks for it (options.cpp)
void trackAllocs(llvm::Function &, class Unit &); // marks the calls whose blocks are tracked

// The unit: one module's table of sites and the runtime's functions.
class Unit {
public:
	explicit Unit(llvm::Module &M);
	llvm::Module &M;
	const llvm::DataLayout &DL;
	llvm::LLVMContext &C;
	llvm::IntegerType *I32, *I64;
	llvm::PointerType *Ptr;
	llvm::GlobalVariable *Ctx, *Track, *Returned;
	llvm::FunctionCallee Child, Drop, DropWords, DropUntyped, Use, Block, Unblock, Valgrind;

	// The index of a site; equal sites are one. Index 0 is no site.
	unsigned site(llvm::Function &F, What W, const llvm::DebugLoc &L, llvm::StringRef Holder, bool CallersLine);
	// The id of a site: the unit's base plus the index, which may be computed.
	llvm::Value *id(llvm::IRBuilder<> &B, llvm::Value *Index);
	// A new cache for a call site, of so many entries.
	static const unsigned Ways = 8;
	llvm::Value *cache();
	// Writes the table and its constructor, if there is any site.
	void finish();

private:
	uint32_t text(llvm::StringRef);
	uint32_t file(llvm::DIFile *);
	std::string Text;
	llvm::StringMap<uint32_t> Texts;
	llvm::DenseMap<llvm::DIFile *, uint32_t> Files;
	struct Row {
		uint32_t W[5];
	};
	std::vector<Row> Rows;
	llvm::StringMap<unsigned> Known;
	unsigned Caches = 0;
	llvm::GlobalVariable *Base, *CacheArray;
};

// Call sites: what a call may do (calls.cpp).
bool isHarmless(const llvm::CallBase &);   // neither allocates, releases, writes pointers, nor reaches instrumented code
bool isAllocator(llvm::StringRef Name);    // its result is a new block
bool leavesFrame(llvm::StringRef Name);    // longjmp and friends
bool isReleaser(llvm::StringRef Name);     // its first argument is released
llvm::StringRef calleeName(const llvm::CallBase &);
std::string calledAs(const llvm::CallBase &);
llvm::Instruction *behind(llvm::CallBase *); // where its result is there
bool isSystem(const llvm::Function &);     // declared in a system header, or made by the compiler (frame.cpp)
void weaken(llvm::Module &);               // attributes by which the optimizer would drop allocations or our stores

// Types and names (names.cpp).
class Names {
public:
	explicit Names(llvm::Module &M) : M(M) {}
	// The expression that names the memory at P (deref) or the value V, as the source spells it; empty if not known.
	std::string slot(const llvm::Value *P, int Depth = 0);
	std::string value(const llvm::Value *V, int Depth = 0);
	void enter(llvm::Function &); // collects the variables of a function
	llvm::DILocalVariable *variable(const llvm::Value *A) const { return Vars.lookup(A); }
	// Whether memory of the type surely holds no pointer.
	bool holdsPointers(llvm::Type *) const;
	bool holdsPointers(const llvm::DIType *, int Depth = 0) const;
	// Whether the memory at P is an integer meant to keep a pointer (uintptr_t).
	bool keepsPointers(const llvm::Value *P);
	// The type of what P points to, if the source says so; null if not known.
	const llvm::DIType *pointee(const llvm::Value *P, int Depth = 0);

private:
	const llvm::DIType *typeOf(const llvm::Value *Slot, int Depth);
	const llvm::DICompositeType *composite(llvm::StructType *);
	const llvm::DIDerivedType *member(llvm::StructType *, unsigned Field);
	llvm::Module &M;
	llvm::DenseMap<const llvm::Value *, llvm::DILocalVariable *> Vars;
	llvm::StringMap<const llvm::DICompositeType *> Structs;
	bool Collected = false;
};

// Where pointers come from, and what functions of the unit do there (home.cpp).
class Homes {
public:
	using Key = std::pair<const void *, unsigned>; // a struct type or global; twice the field, plus 1 for what it points to
	struct Effect {
		llvm::DenseSet<unsigned> Writes; // keys of fields and globals that get a pointer
		bool Unknown = false;            // calls code of other units
		bool Frees = false;
	};
	explicit Homes(llvm::Module &M);
	unsigned key(const llvm::Value *P); // 0: may be anything
	const Effect *effect(const llvm::Function *F) const {
		auto It = Effects.find(F);
		return It == Effects.end() ? nullptr : &It->second;
	}

private:
	llvm::DenseMap<Key, unsigned> Keys;
	llvm::DenseMap<const llvm::Function *, Effect> Effects;
};

// What the value V is derived from by LeakPoint's rules: the base pointer under
// additions of integers, casts and masks. V itself if nothing.
const llvm::Value *origin(const llvm::Value *V);
// Whether an integer is computed from a pointer and still stands for it.
bool carriesPointer(const llvm::Value *V, int Depth = 0);
// Whether two addresses are computed in the same way from the same variables.
bool sameAddress(const llvm::Value *A, const llvm::Value *B, int Depth = 0);

// One local variable that may hold pointers.
struct Local {
	llvm::AllocaInst *A;
	std::string Name;
	bool Scalar; // one word that is only loaded and stored: dataflow decides
	bool Parameter = false;
	bool Marked = false; // has lifetime markers
	const llvm::DILocalScope *Block = nullptr; // without markers: the block of the source that declares it, null if the function
	llvm::SmallVector<std::pair<uint64_t, uint64_t>, 4> Words; // pointer words: offset, bytes
	llvm::Instruction *LastUse = nullptr; // of a temporary without name and markers: it ends behind it
	llvm::AllocaInst *Where = nullptr;
	bool Ends = false; // some end hook was asked for
};

// One edit, decided by analysis.
struct Edit {
	enum Kind { OverwriteLocal, End, SetWhere, ResetWhere, PadWhere } K;
	llvm::Instruction *At;
	unsigned Local;
	unsigned Site;
	bool Fresh; // where is surely unset before (SetWhere), or at the end: surely unset
};

// A function being instrumented.
struct Frame {
	llvm::Function &F;
	Unit &U;
	Names &N;
	Homes &H;
	bool CallersLine; // from a system header: events belong to the caller's line
	bool Made;        // by the compiler: so do events that have no line of their own
	llvm::Value *Ctx = nullptr;
	std::vector<Local> Locals;
	llvm::DenseMap<const llvm::AllocaInst *, unsigned> Index; // of Locals
	std::vector<Edit> Edits;
	llvm::SmallVector<llvm::CallInst *, 8> Throwing; // calls that may throw while locals hold pointers
	llvm::AllocaInst *UnwindSite = nullptr;
	llvm::SmallVector<llvm::Instruction *, 8> UnwindFrom; // calls and invokes that tell their line before

	Frame(llvm::Function &F, Unit &U, Names &N, Homes &H, bool CallersLine, bool Made) : F(F), U(U), N(N), H(H), CallersLine(CallersLine), Made(Made) {}
	unsigned site(What W, const llvm::DebugLoc &L, llvm::StringRef Holder) { return U.site(F, W, L, Holder, isCallers(L)); }
	bool isCallers(const llvm::DebugLoc &L) const;
	bool Leaf = false; // no call of this function gets a context
	llvm::Value *context();
	llvm::Value *context(llvm::IRBuilder<> &B);
	// Reports Old as going away, before At, if it points into the heap.
	void drop(llvm::Instruction *At, llvm::Value *Old, llvm::Value *SiteIndex);
	void drop(llvm::Instruction *At, llvm::Value *Old, unsigned Site);
	// Reports a use of P at At, likewise.
	void use(llvm::Instruction *At, llvm::Value *P, unsigned Site);
	void tell(llvm::FunctionCallee Hook, llvm::Instruction *At, llvm::Value *P, llvm::Value *SiteIndex);
	// The same as drop for Bytes of memory.
	void dropWords(llvm::Instruction *At, llvm::Value *P, llvm::Value *Bytes, unsigned Site, bool Untyped = false);
};

llvm::DebugLoc returnLoc(const llvm::ReturnInst &); // the line of the return statement
// Explicit jumps of the source (jumps.cpp): the terminators, with the kind.
llvm::DenseMap<const llvm::Instruction *, What> findJumps(llvm::Function &F);

void analyseLocals(Frame &);   // fills Locals and Edits (locals.cpp, flow.cpp)
void flowLocals(Frame &);
void editLocals(Frame &);
void dropLocal(Frame &, const Local &, llvm::Instruction *At, llvm::Value *Site);
void instrument(llvm::Function &F, Unit &U, Names &N, Homes &H); // frame.cpp
// Collects memory events, returns the edits as a closure list (memory.cpp).
struct MemoryPlan {
	std::vector<llvm::Instruction *> Stores, Copies, Atomics;
	std::vector<std::pair<llvm::Instruction *, llvm::Value *>> Results; // dropped results: place, value
	std::vector<llvm::CallBase *> ResultCalls;
	std::vector<std::pair<llvm::CallBase *, llvm::DebugLoc>> Calls; // that get a context, with the line
	std::vector<std::pair<llvm::CallBase *, unsigned>> Outs; // library calls that overwrite *arg
	bool empty() const { return Stores.empty() && Copies.empty() && Atomics.empty() && Results.empty() && Calls.empty() && Outs.empty(); }
};
MemoryPlan planMemory(Frame &);
void editMemory(Frame &, MemoryPlan &);
void editCalls(Frame &, MemoryPlan &);
llvm::DebugLoc lineOf(llvm::CallBase *); // of untouched code (context.cpp)
void editUnwind(Frame &);

// Calls of allocators and releasers that a model names (models.cpp).
struct ModelPlan {
	std::vector<std::pair<llvm::CallBase *, int>> Allocs; // with the number of the size argument, -1: none
	std::vector<std::pair<llvm::CallBase *, unsigned>> Frees;
	bool empty() const { return Allocs.empty() && Frees.empty(); }
};
void planModels(llvm::Function &, ModelPlan &);
void editModels(Frame &, ModelPlan &);

// Last uses (uses.cpp).
struct UsePlan {
	struct Use {
		llvm::Instruction *At;
		llvm::Value *P;
		What W;
		llvm::AllocaInst *Last = nullptr; // in a loop: the pointer it told of last
		llvm::SmallVector<llvm::Instruction *, 2> Begins; // ... and where the loop begins
	};
	std::vector<Use> Uses;
};
void planUses(Frame &, UsePlan &);
void editUses(Frame &, UsePlan &);

void editThread(Frame &);                       // threads.cpp
void keepFrames(llvm::Module &);                // calls that do not return (noreturn.cpp)
void replaceRequests(llvm::Function &, Unit &); // special.cpp
bool destroysPointers(const llvm::Function &);
void editDestroy(Frame &);

} // namespace plumb

#endif
