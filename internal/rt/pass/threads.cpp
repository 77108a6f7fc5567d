// Functions that a thread may run. Where one returns is where the thread ends, and
// with it what only thread-local variables hold: the runtime learns the place from
// a variable that the last return has written.
#include "plumb.h"

using namespace llvm;

namespace plumb {

// Handed to what makes threads; or of the form that threads have, and handed to a
// function of the program, which may hand it on.
static bool isThreadFunction(const Function &F) {
	bool Form = F.arg_size() == 1 && F.getArg(0)->getType()->isPointerTy() &&
	            (F.getReturnType()->isPointerTy() || F.getReturnType()->isIntegerTy(32));
	for (auto &U : F.uses()) {
		auto *CB = dyn_cast<CallBase>(U.getUser());
		if (!CB || !CB->isArgOperand(&U))
			continue;
		StringRef Name = calleeName(*CB);
		if (Form || Name == "pthread_create" || Name == "thrd_create" || Name.contains("6thread") || Name.contains("7jthread"))
			return true;
	}
	return false;
}

void editThread(Frame &Fr) {
	if (!isThreadFunction(Fr.F))
		return;
	for (auto &BB : Fr.F) {
		auto *R = dyn_cast<ReturnInst>(BB.getTerminator());
		if (!R || !R->getDebugLoc())
			continue;
		IRBuilder<> B(R);
		Value *Site = ConstantInt::get(Fr.U.I32, Fr.site(ThreadEnd, R->getDebugLoc(), ""));
		B.CreateStore(Fr.U.id(B, Site), B.CreateThreadLocalAddress(Fr.U.Returned));
	}
}

} // namespace plumb
