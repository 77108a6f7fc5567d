// The unit's table: sites, their texts, and the constructor that registers them.
#include "plumb.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace plumb {

Unit::Unit(Module &M) : M(M), DL(M.getDataLayout()), C(M.getContext()) {
	I32 = Type::getInt32Ty(C);
	I64 = Type::getInt64Ty(C);
	Ptr = PointerType::get(C, 0);
	auto Tls = [&](const char *Name) {
		if (auto *G = M.getGlobalVariable(Name))
			return G;
		return new GlobalVariable(M, I32, false, GlobalValue::ExternalLinkage, nullptr, Name, nullptr, GlobalValue::InitialExecTLSModel);
	};
	Ctx = Tls("plumb_ctx");
	Track = Tls("plumb_track");
	Returned = Tls("plumb_returned");
	auto *Void = Type::getVoidTy(C);
	// Not through the lazy linkage table: its resolver does not keep the registers
	// that preserve_most promises.
	// None of the runtime's functions throws or touches the program's memory in a
	// way it can see, but they read it: no memory attribute.
	auto Attrs = AttributeList::get(C, AttributeList::FunctionIndex, {Attribute::NoUnwind, Attribute::NonLazyBind});
	auto Fn = [&](const char *Name, Type *R, ArrayRef<Type *> A, bool Preserve, bool Cold) {
		auto Callee = M.getOrInsertFunction(Name, FunctionType::get(R, A, false), Attrs);
		if (auto *F = dyn_cast<Function>(Callee.getCallee())) {
			if (Preserve)
				F->setCallingConv(CallingConv::PreserveMost);
			if (Cold)
				F->addFnAttr(Attribute::Cold);
		}
		return Callee;
	};
	Child = Fn("plumb_child", I32, {I32, I32, Ptr}, true, true);
	Drop = Fn("plumb_drop", Void, {Ptr, I32, I32}, true, false);
	DropWords = Fn("plumb_drop_words", Void, {Ptr, I64, I32, I32}, true, false);
	DropUntyped = Fn("plumb_drop_untyped", Void, {Ptr, I64, I32, I32}, true, false);
	Use = Fn("plumb_use", Void, {Ptr, I32, I32}, true, false);
	Block = Fn("plumb_block", Void, {Ptr, I64, I32, I32}, false, false);
	Unblock = Fn("plumb_unblock", Void, {Ptr, I32, I32}, false, false);
	Valgrind = Fn("plumb_valgrind", I64, {I64, Ptr}, false, false);
	Base = new GlobalVariable(M, I32, false, GlobalValue::InternalLinkage, ConstantInt::get(I32, 0), "plumb.base");
	// Takes the place of the array whose size is known at the end.
	CacheArray = new GlobalVariable(M, I64, false, GlobalValue::ExternalLinkage, nullptr, "plumb.cache");
	Text.push_back(0);
	Rows.push_back(Row{});
}

uint32_t Unit::text(StringRef S) {
	if (S.empty())
		return 0;
	auto [It, New] = Texts.try_emplace(S, Text.size());
	if (New) {
		Text.append(S.begin(), S.end());
		Text.push_back(0);
	}
	return It->second;
}

uint32_t Unit::file(DIFile *F) {
	if (!F)
		return 0;
	auto [It, New] = Files.try_emplace(F, 0);
	if (New) {
		StringRef Name = F->getFilename();
		if (Name.starts_with("/") || F->getDirectory().empty())
			It->second = text(Name);
		else
			It->second = text((F->getDirectory() + "/" + Name).str());
	}
	return It->second;
}

unsigned Unit::site(Function &F, What W, const DebugLoc &L, StringRef Holder, bool CallersLine) {
	DISubprogram *SP = F.getSubprogram();
	DIFile *File = SP ? SP->getFile() : nullptr;
	unsigned Line = 0, Column = 0;
	StringRef Name = SP && !SP->getLinkageName().empty() ? SP->getLinkageName() : F.getName();
	if (DILocation *D = L.get()) {
		File = D->getFile();
		Line = D->getLine();
		Column = D->getColumn();
	}
	if (CallersLine)
		Line = Column = 0;
	Row R{{file(File), text(Name), text(Holder), Line, std::min(Column, 0xffffu) | unsigned(W) << 16}};
	auto [It, New] = Known.try_emplace(StringRef(reinterpret_cast<char *>(R.W), sizeof R.W), Rows.size());
	if (New)
		Rows.push_back(R);
	return It->second;
}

Value *Unit::id(IRBuilder<> &B, Value *Index) {
	return B.CreateAdd(B.CreateLoad(I32, Base), Index);
}

Value *Unit::cache() {
	auto *At = ConstantInt::get(I64, Caches);
	Caches += Ways;
	return ConstantExpr::getGetElementPtr(I64, CacheArray, At);
}

void Unit::finish() {
	// The low half of an empty cache is no context; 0 would be the root.
	if (Caches) {
		std::vector<uint64_t> Empty(Caches, 0xffffffffu);
		auto *Init = ConstantDataArray::get(C, Empty);
		auto *G = new GlobalVariable(M, Init->getType(), false, GlobalValue::InternalLinkage, Init, "plumb.caches");
		CacheArray->replaceAllUsesWith(G);
	}
	CacheArray->eraseFromParent();
	for (auto *G : {Ctx, Track, Returned})
		if (G->use_empty())
			G->eraseFromParent();
	for (auto FC : {Child, Drop, DropWords, Use, Block, Unblock, Valgrind})
		if (auto *F = dyn_cast<Function>(FC.getCallee()); F && F->use_empty() && F->isDeclaration())
			F->eraseFromParent();
	if (Rows.size() == 1) {
		if (Base->use_empty())
			Base->eraseFromParent();
		return;
	}
	std::vector<uint32_t> Raw;
	for (auto &R : Rows)
		Raw.insert(Raw.end(), R.W, R.W + 5);
	auto Data = [&](Constant *Init, const char *Name) {
		auto *G = new GlobalVariable(M, Init->getType(), true, GlobalValue::InternalLinkage, Init, Name);
		G->setAlignment(Align(4));
		return G;
	};
	auto *Sites = Data(ConstantDataArray::get(C, Raw), "plumb.sites");
	auto *Texts = Data(ConstantDataArray::getString(C, Text, false), "plumb.text");
	auto *Abi = ConstantInt::get(I32, 1);
	auto *S = ConstantStruct::getAnon({Abi, ConstantInt::get(I32, Rows.size()), Sites, Texts, ConstantInt::get(I64, Text.size()), Base});
	auto *U = new GlobalVariable(M, S->getType(), false, GlobalValue::InternalLinkage, S, "plumb.unit");
	auto Hook = [&](const char *Name, const char *Callee) {
		auto *F = Function::Create(FunctionType::get(Type::getVoidTy(C), false), GlobalValue::InternalLinkage, Name, &M);
		F->addFnAttr(Attribute::NoUnwind);
		IRBuilder<> B(BasicBlock::Create(C, "", F));
		B.CreateCall(M.getOrInsertFunction(Callee, Type::getVoidTy(C), Ptr), {U});
		B.CreateRetVoid();
		return F;
	};
	// Priority 0: before every constructor of the program, after every destructor.
	appendToGlobalCtors(M, Hook("plumb.begin", "plumb_unit_begin"), 0);
	appendToGlobalDtors(M, Hook("plumb.end", "plumb_unit_end"), 0);
}

} // namespace plumb
