// The plugin: where in the pipeline the pass runs, and its settings.
#include "plumb.h"
#include "llvm/Passes/PassBuilder.h"
#if __has_include("llvm/Plugins/PassPlugin.h")
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

using namespace llvm;

namespace {

// Instruments a module before any optimization: nothing is inlined, merged or
// deleted yet, and the optimizer then works on the hooks like on any code.
struct Plumb : PassInfoMixin<Plumb> {
	PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
		if (M.getNamedGlobal("plumb.base") || Triple(M.getTargetTriple()).getArch() != Triple::x86_64)
			return PreservedAnalyses::all();
		plumb::weaken(M);
		plumb::keepFrames(M);
		plumb::Unit U(M);
		plumb::Names N(M);
		plumb::Homes H(M);
		std::vector<Function *> Functions;
		for (auto &F : M)
			if (plumb::isWanted(F))
				Functions.push_back(&F);
		for (auto *F : Functions) {
			plumb::instrument(*F, U, N, H);
			plumb::trackAllocs(*F, U);
		}
		U.finish();
		return PreservedAnalyses::none();
	}
	static bool isRequired() { return true; } // also at -O0
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
	return {LLVM_PLUGIN_API_VERSION, "plumb", "1", [](PassBuilder &PB) {
		        PB.registerPipelineStartEPCallback([](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(Plumb()); });
	        }};
}
