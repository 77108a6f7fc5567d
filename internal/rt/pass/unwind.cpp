// Exceptions: a call that may throw while locals own pointers gets a cleanup
// that reports them with the line of the call.
#include "plumb.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace plumb {

void editUnwind(Frame &Fr) {
	if (Fr.Throwing.empty() || Fr.CallersLine || Fr.Made)
		return;
	SmallVector<Local *, 8> Live;
	for (auto &L : Fr.Locals)
		if (L.Ends)
			Live.push_back(&L);
	if (Live.empty())
		return;
	auto &U = Fr.U;
	if (!Fr.F.hasPersonalityFn())
		Fr.F.setPersonalityFn(cast<Constant>(U.M.getOrInsertFunction("__gxx_personality_v0", FunctionType::get(U.I32, true)).getCallee()));
	auto *Pad = BasicBlock::Create(U.C, "plumb.unwind", &Fr.F);
	IRBuilder<> B(Pad);
	auto *Sub = Fr.F.getSubprogram();
	if (Sub)
		B.SetCurrentDebugLocation(DILocation::get(U.C, 0, 0, Sub));
	auto *LP = B.CreateLandingPad(StructType::get(U.C, {U.Ptr, U.I32}), 0);
	LP->setCleanup(true);
	auto *Resume = B.CreateResume(LP);
	B.SetInsertPoint(Resume);
	Value *Site = B.CreateLoad(U.I32, Fr.UnwindSite);
	for (auto *L : Live)
		dropLocal(Fr, *L, Resume, Site);
	for (auto *C : Fr.Throwing)
		changeToInvokeAndSplitBasicBlock(C, Pad);
}

} // namespace plumb
