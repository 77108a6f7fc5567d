// Settings of the pass, and what --only-reported leaves out.
#include "plumb.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace plumb {

// Calls handle with each line of a file that says something. A file that cannot
// be read must not pass for an empty one: that would instrument nothing.
static void lines(StringRef File, function_ref<void(StringRef)> Handle) {
	auto Buffer = MemoryBuffer::getFile(File);
	if (!Buffer)
		report_fatal_error(Twine("plumb: cannot read ") + File + ": " + Buffer.getError().message(), false);
	SmallVector<StringRef, 0> Lines;
	(*Buffer)->getBuffer().split(Lines, '\n', -1, false);
	for (auto L : Lines)
		Handle(L.trim());
}

// A path by which two spellings of one file compare equal.
static std::string canonical(StringRef Path) {
	SmallString<256> Real;
	if (!sys::fs::real_path(Path, Real))
		return Real.str().str();
	SmallString<256> Clean(Path);
	sys::path::remove_dots(Clean, true);
	return Clean.str().str();
}

// "function FILE NAME" and "alloc FILE LINE"; a file's name may have blanks.
static void readOnly(Options &O, StringRef File) {
	O.Only = true;
	lines(File, [&](StringRef L) {
		auto [Word, Rest] = L.split(' ');
		auto [Where, Last] = Rest.rsplit(' ');
		unsigned Line;
		if (Word == "function")
			O.OnlyFunctions.emplace_back(canonical(Where), Last.str());
		else if (Word == "alloc" && !Last.getAsInteger(10, Line))
			O.OnlyAllocs.emplace_back(canonical(Where), Line);
	});
}

// "alloc NAME ARGUMENT" and "free NAME ARGUMENT"; - is no argument.
static void readModels(Options &O, StringRef File) {
	lines(File, [&](StringRef L) {
		SmallVector<StringRef, 3> W;
		L.split(W, ' ', -1, false);
		if (W.size() != 3)
			return;
		unsigned Argument;
		bool Known = !W[2].getAsInteger(10, Argument);
		if (W[0] == "alloc")
			O.Allocs[W[1]] = Known ? int(Argument) : -1;
		else if (W[0] == "free" && Known)
			O.Frees[W[1]] = Argument;
	});
}

const Options &Options::get() {
	static const Options O = [] {
		Options O;
		const char *Text = getenv("PLUMB_PASS");
		SmallVector<StringRef, 4> Words;
		StringRef(Text ? Text : "").split(Words, ',', -1, false);
		for (auto W : Words) {
			if (W == "last-use")
				O.LastUse = true;
			else if (W.consume_front("only="))
				readOnly(O, W);
			else if (W.consume_front("models="))
				readModels(O, W);
		}
		return O;
	}();
	return O;
}

static std::string fileOf(const DIFile *F) {
	static StringMap<std::string> Known;
	if (!F)
		return "";
	StringRef Name = F->getFilename();
	std::string Path = Name.starts_with("/") || F->getDirectory().empty() ? Name.str() : (F->getDirectory() + "/" + Name).str();
	auto [It, New] = Known.try_emplace(Path);
	if (New)
		It->second = canonical(Path);
	return It->second;
}

static std::string key(StringRef File, const Twine &What) { return (File + "\n" + What).str(); }

bool isWanted(const Function &F) {
	auto &O = Options::get();
	if (!O.Only)
		return true;
	static const StringSet<> Set = [&] {
		StringSet<> S;
		for (auto &[File, Name] : O.OnlyFunctions)
			S.insert(key(File, Name));
		return S;
	}();
	auto *SP = F.getSubprogram();
	return SP && Set.contains(key(fileOf(SP->getFile()), F.getName()));
}

// As PLUMB_TRACK_NEXT and PLUMB_TRACK_ALL of abi.h.
static unsigned trackOf(const CallBase &CB) {
	auto *Callee = dyn_cast<Function>(CB.getCalledOperand()->stripPointerCasts());
	return Callee && Callee->isDeclaration() && !isAllocator(Callee->getName()) ? 2 : 1;
}

// Marks calls that were asked for. The mark is taken back behind them.
void trackAllocs(Function &F, Unit &U) {
	auto &O = Options::get();
	if (!O.Only)
		return;
	static const StringSet<> Set = [&] {
		StringSet<> S;
		for (auto &[File, Line] : O.OnlyAllocs)
			S.insert(key(File, Twine(Line)));
		return S;
	}();
	SmallVector<CallBase *, 8> Calls;
	for (auto &B : F)
		for (auto &I : B) {
			auto *CB = dyn_cast<CallBase>(&I);
			DILocation *L = CB ? CB->getDebugLoc().get() : nullptr;
			if (L && !isHarmless(*CB) && !isReleaser(calleeName(*CB)) && !calleeName(*CB).starts_with("plumb_") &&
			    Set.contains(key(fileOf(L->getFile()), Twine(L->getLine()))))
				Calls.push_back(CB);
		}
	for (auto *CB : Calls) {
		auto Mark = [&](Instruction *At, unsigned On) {
			IRBuilder<> B(At);
			B.CreateStore(B.getInt32(On), B.CreateThreadLocalAddress(U.Track), true);
		};
		Mark(CB, trackOf(*CB));
		if (auto *Invoke = dyn_cast<InvokeInst>(CB)) {
			Mark(&*Invoke->getNormalDest()->getFirstInsertionPt(), 0);
			Mark(&*Invoke->getUnwindDest()->getFirstInsertionPt(), 0);
		} else if (!CB->isMustTailCall() && !CB->isTerminator())
			Mark(CB->getNextNode(), 0);
	}
}

} // namespace plumb
