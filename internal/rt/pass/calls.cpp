// What calls may do, by the callee's name and attributes.
#include "plumb.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace plumb {

// Functions of libc that neither allocate nor release for the program, store no
// pointer into its memory and call none of its functions.
static const char *HarmlessNames[] = {
    "abs", "access", "acos", "asin", "atan", "atan2", "atof", "atoi", "atol", "atoll", "bcmp", "bzero", "ceil", "ceilf", "chdir", "chmod",
    "clock", "clock_gettime", "close", "cos", "cosh", "creat", "difftime", "dup", "dup2", "erf", "exp", "exp2", "fabs", "fcntl", "feof",
    "ferror", "ffs", "fileno", "floor", "floorf", "fmax", "fmin", "fmod", "fputc", "fputs", "fread", "frexp", "fseek", "fseeko", "fstat",
    "fsync", "ftell", "ftello", "ftruncate", "fwrite", "getc", "getchar", "getegid", "geteuid", "getgid", "getpid", "getppid", "getuid",
    "htonl", "htons", "hypot", "isalnum", "isalpha", "isatty", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint",
    "ispunct", "isspace", "isupper", "isxdigit", "kill", "labs", "ldexp", "llabs", "log", "log10", "log1p", "log2", "lrint", "lround",
    "lseek", "lstat", "memchr", "memcmp", "memrchr", "mkdir", "modf", "nanosleep", "ntohl", "ntohs", "open", "perror", "pipe", "poll",
    "pow", "pread", "pthread_mutex_lock", "pthread_mutex_trylock", "pthread_mutex_unlock", "pthread_self", "putc", "putchar", "puts",
    "pwrite", "rand", "random", "read", "readlink", "rename", "rewind", "rint", "rmdir", "round", "sched_yield", "select", "sin", "sinh",
    "sleep", "snprintf", "sprintf", "sqrt", "srand", "srandom", "stat", "strcasecmp", "strcmp", "strcoll", "strcspn", "strlen",
    "strncasecmp", "strncmp", "strnlen", "strspn", "tan", "tanh", "time", "tolower", "toupper", "trunc", "ungetc", "unlink", "usleep",
    "vsnprintf", "vsprintf", "write", "wcslen", "wcscmp", "__errno_location", "__ctype_b_loc", "__ctype_tolower_loc",
    "__ctype_toupper_loc", "__snprintf_chk", "__sprintf_chk", "__stack_chk_fail", "__cxa_guard_acquire", "__cxa_guard_release",
    "__cxa_begin_catch", "__cxa_end_catch", "__clang_call_terminate", "llvm.trap",
    // They return their argument or a pointer into it.
    "strchr", "strrchr", "strstr", "strpbrk", "strcpy", "strncpy", "strcat", "strncat", "stpcpy", "stpncpy", "basename", "index",
    "rindex", "memmem", "strcasestr", "fgets", "strerror", "getenv", "strchrnul", "__strcpy_chk", "__strcat_chk", "__strncpy_chk"};

static const char *AllocatorNames[] = {
    "malloc", "calloc", "realloc", "reallocarray", "aligned_alloc", "memalign", "valloc", "pvalloc", "strdup", "strndup", "__strdup",
    "__strndup", "wcsdup", "posix_memalign",
    // operator new and new[], plain, nothrow, aligned.
    "_Znwm", "_Znam", "_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t", "_ZnwmSt11align_val_t", "_ZnamSt11align_val_t",
    "_ZnwmSt11align_val_tRKSt9nothrow_t", "_ZnamSt11align_val_tRKSt9nothrow_t"};

static const char *ReleaserNames[] = {
    "free", "cfree", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm", "_ZdlPvSt11align_val_t", "_ZdaPvSt11align_val_t",
    "_ZdlPvmSt11align_val_t", "_ZdaPvmSt11align_val_t", "_ZdlPvRKSt9nothrow_t", "_ZdaPvRKSt9nothrow_t"};

template <size_t N> static bool in(const char *(&Names)[N], StringRef Name) {
	static const StringSet<> Set = [&] {
		StringSet<> S;
		for (auto *Each : Names)
			S.insert(Each);
		return S;
	}();
	return Set.contains(Name);
}

bool isAllocator(StringRef Name) { return in(AllocatorNames, Name); }
bool isReleaser(StringRef Name) { return in(ReleaserNames, Name); }

bool leavesFrame(StringRef Name) {
	return Name == "longjmp" || Name == "_longjmp" || Name == "siglongjmp" || Name == "__longjmp_chk" || Name == "pthread_exit" || Name == "thrd_exit";
}

StringRef calleeName(const CallBase &CB) {
	auto *F = dyn_cast<Function>(CB.getCalledOperand()->stripPointerCasts());
	return F ? F->getName() : StringRef();
}

std::string calledAs(const CallBase &CB) {
	return calleeName(CB).str();
}

// Where the result of a call is there: behind it, or where an invoke goes on.
// Null if others go on there as well.
Instruction *behind(CallBase *CB) {
	if (auto *I = dyn_cast<InvokeInst>(CB)) {
		BasicBlock *To = I->getNormalDest();
		return To->getSinglePredecessor() ? &*To->getFirstInsertionPt() : nullptr;
	}
	return CB->isTerminator() ? nullptr : CB->getNextNode();
}

bool isHarmless(const CallBase &CB) {
	if (CB.isInlineAsm())
		return true;
	auto *F = dyn_cast<Function>(CB.getCalledOperand()->stripPointerCasts());
	if (!F)
		return false;
	if (F->isIntrinsic())
		return true;
	if (!F->isDeclaration())
		return false;
	if (isAllocator(F->getName()) || isReleaser(F->getName()))
		return false;
	return (CB.onlyReadsMemory() && CB.doesNotThrow()) || in(HarmlessNames, F->getName());
}

// The optimizer knows allocation functions and may delete a pair of them, or
// take a store of the context before malloc for dead. Under plumb they are calls
// of unknown functions.
void weaken(Module &M) {
	for (auto &F : M) {
		if (F.isIntrinsic())
			continue;
		bool Heap = isAllocator(F.getName()) || isReleaser(F.getName());
		// A definition now reads and writes the runtime's state.
		if (Heap || !F.isDeclaration()) {
			F.removeFnAttr(Attribute::Memory);
			F.removeFnAttr(Attribute::AllocKind);
		}
		if (!Heap)
			continue;
		for (auto K : {Attribute::Builtin, Attribute::AllocSize, Attribute::WillReturn})
			F.removeFnAttr(K);
		F.removeFnAttr("alloc-family");
		F.removeRetAttr(Attribute::NoAlias);
		F.addFnAttr("no-builtins");
		F.addFnAttr(Attribute::NoBuiltin);
		for (unsigned I = 0; I < F.arg_size(); I++) {
			F.removeParamAttr(I, Attribute::AllocatedPointer);
#if LLVM_VERSION_MAJOR >= 21
			F.removeParamAttr(I, Attribute::Captures);
#else
			F.removeParamAttr(I, Attribute::NoCapture);
#endif
		}
		for (auto *U : F.users()) {
			auto *CB = dyn_cast<CallBase>(U);
			if (!CB || CB->getCalledOperand() != &F)
				continue;
			for (auto K : {Attribute::Builtin, Attribute::AllocSize, Attribute::AllocKind, Attribute::Memory})
				CB->removeFnAttr(K);
			CB->addFnAttr(Attribute::NoBuiltin);
			if (auto *Call = dyn_cast<CallInst>(CB))
				Call->setTailCall(false);
		}
	}
}

} // namespace plumb
