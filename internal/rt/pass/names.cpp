// Names and types from debug info: what the source calls a piece of memory, and
// whether it can hold pointers.
#include "plumb.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#if LLVM_VERSION_MAJOR >= 19
#include "llvm/IR/DebugProgramInstruction.h"
#endif

using namespace llvm;

namespace plumb {

static const int MaxDepth = 6;

// A variable's memory is declared, or from -O1 on assigned (assignment tracking).
void Names::enter(Function &F) {
	Vars.clear();
	for (auto &BB : F)
		for (auto &I : BB) {
			if (auto *D = dyn_cast<DbgDeclareInst>(&I))
				Vars[D->getAddress()] = D->getVariable();
			else if (auto *D = dyn_cast<DbgAssignIntrinsic>(&I))
				Vars[D->getAddress()] = D->getVariable();
#if LLVM_VERSION_MAJOR >= 19
			for (DbgVariableRecord &R : filterDbgVars(I.getDbgRecordRange()))
				if (R.isDbgDeclare() || R.isDbgAssign())
					Vars[R.getAddress()] = R.getVariable();
#endif
		}
	Vars.erase(nullptr);
}

// The type under names and qualifiers.
static const DIType *strip(const DIType *T) {
	while (auto *D = dyn_cast_or_null<DIDerivedType>(T)) {
		switch (unsigned(D->getTag())) {
		case dwarf::DW_TAG_typedef:
		case dwarf::DW_TAG_const_type:
		case dwarf::DW_TAG_volatile_type:
		case dwarf::DW_TAG_restrict_type:
		case dwarf::DW_TAG_atomic_type:
		case dwarf::DW_TAG_member:
		case dwarf::DW_TAG_inheritance:
			T = D->getBaseType();
			continue;
		}
		break;
	}
	return T;
}

static bool isPointer(const DIType *T) {
	if (!T)
		return false;
	switch (unsigned(T->getTag())) {
	case dwarf::DW_TAG_pointer_type:
	case dwarf::DW_TAG_reference_type:
	case dwarf::DW_TAG_rvalue_reference_type:
		return true;
	}
	return false;
}

bool Names::holdsPointers(Type *T) const {
	if (T->isPointerTy())
		return true;
	if (auto *A = dyn_cast<ArrayType>(T))
		return holdsPointers(A->getElementType());
	if (auto *S = dyn_cast<StructType>(T)) {
		if (S->isOpaque())
			return true;
		for (auto *E : S->elements())
			if (holdsPointers(E))
				return true;
	}
	return false;
}

bool Names::holdsPointers(const DIType *T, int Depth) const {
	// An integer that is meant to keep a pointer.
	for (auto *D = dyn_cast_or_null<DIDerivedType>(T); D; D = dyn_cast_or_null<DIDerivedType>(D->getBaseType())) {
		if (D->getTag() == dwarf::DW_TAG_typedef && (D->getName() == "uintptr_t" || D->getName() == "intptr_t"))
			return true;
		if (isPointer(D))
			return true;
	}
	T = strip(T);
	if (!T)
		return true; // void
	if (isPointer(T))
		return true;
	if (isa<DIBasicType>(T) || T->getTag() == dwarf::DW_TAG_enumeration_type)
		return false;
	auto *S = dyn_cast<DICompositeType>(T);
	if (!S || Depth > MaxDepth || S->isForwardDecl())
		return true;
	if (S->getTag() == dwarf::DW_TAG_array_type)
		return holdsPointers(S->getBaseType(), Depth + 1);
	for (auto *E : S->getElements())
		if (auto *M = dyn_cast<DIDerivedType>(E); M && !M->isStaticMember() && (M->getTag() == dwarf::DW_TAG_member || M->getTag() == dwarf::DW_TAG_inheritance))
			if (holdsPointers(M->getBaseType(), Depth + 1))
				return true;
	return false;
}

const DICompositeType *Names::composite(StructType *T) {
	if (T->isLiteral() || T->isOpaque())
		return nullptr;
	if (!Collected) {
		Collected = true;
		DebugInfoFinder Finder;
		Finder.processModule(M);
		for (auto *Each : Finder.types())
			if (auto *S = dyn_cast<DICompositeType>(Each); S && !S->getName().empty() && !S->isForwardDecl())
				Structs.try_emplace(S->getName(), S);
	}
	// struct.ns::name.12
	StringRef Name = T->getName();
	Name = Name.substr(Name.find('.') + 1).rtrim("0123456789").rtrim('.');
	if (Name.empty())
		return nullptr;
	auto It = Structs.find(Name);
	if (It == Structs.end())
		It = Structs.find(Name.substr(Name.rfind(':') + 1));
	if (It == Structs.end() || It->second->getSizeInBits() != M.getDataLayout().getTypeAllocSizeInBits(T))
		return nullptr;
	return It->second;
}

const DIDerivedType *Names::member(StructType *T, unsigned Field) {
	auto *S = composite(T);
	if (!S || Field >= T->getNumElements())
		return nullptr;
	uint64_t At = M.getDataLayout().getStructLayout(T)->getElementOffset(Field) * 8;
	for (auto *E : S->getElements())
		if (auto *D = dyn_cast<DIDerivedType>(E); D && D->getTag() == dwarf::DW_TAG_member && !D->isStaticMember() && D->getOffsetInBits() == At)
			return D;
	return nullptr;
}

// The field that a GEP with constant indices ends in, if it ends in one.
static bool lastField(const GEPOperator *G, StructType *&T, unsigned &Field) {
	Type *At = G->getSourceElementType();
	T = nullptr;
	unsigned I = 0;
	for (auto It = G->idx_begin(); It != G->idx_end(); ++It, ++I) {
		if (I == 0)
			continue;
		T = dyn_cast<StructType>(At);
		if (T) {
			Field = unsigned(cast<ConstantInt>(*It)->getZExtValue());
			At = T->getElementType(Field);
		} else {
			At = cast<ArrayType>(At)->getElementType();
		}
	}
	return T != nullptr;
}

static bool isObject(const Value *P) { return isa<AllocaInst>(P) || isa<GlobalVariable>(P) || isa<GEPOperator>(P); }

std::string Names::slot(const Value *P, int Depth) {
	if (Depth > MaxDepth)
		return "";
	if (auto *V = Vars.lookup(P))
		return V->getName().str();
	if (auto *G = dyn_cast<GlobalVariable>(P)) {
		SmallVector<DIGlobalVariableExpression *, 1> D;
		G->getDebugInfo(D);
		return D.empty() ? G->getName().str() : D[0]->getVariable()->getName().str();
	}
	if (auto *G = dyn_cast<GEPOperator>(P)) {
		const Value *Of = G->getPointerOperand();
		StructType *T;
		unsigned Field;
		bool Object = isObject(Of);
		std::string Left = Object ? slot(Of, Depth + 1) : value(Of, Depth + 1);
		if (Left.empty())
			return "";
		if (lastField(G, T, Field)) {
			auto *D = member(T, Field);
			if (!D)
				return "";
			if (D->getName().empty())
				return Left;
			return Left + (Object ? "." : "->") + D->getName().str();
		}
		return Left + "[]";
	}
	if (isa<LoadInst>(P)) {
		auto S = value(P, Depth + 1);
		return S.empty() ? "" : "*" + S;
	}
	return "";
}

std::string Names::value(const Value *V, int Depth) {
	if (auto *L = dyn_cast<LoadInst>(V))
		return slot(L->getPointerOperand(), Depth + 1);
	return "";
}

const DIType *Names::typeOf(const Value *P, int Depth) {
	if (Depth > MaxDepth)
		return nullptr;
	if (auto *V = Vars.lookup(P))
		return V->getType();
	if (auto *G = dyn_cast<GlobalVariable>(P)) {
		SmallVector<DIGlobalVariableExpression *, 1> D;
		G->getDebugInfo(D);
		return D.empty() ? nullptr : D[0]->getVariable()->getType();
	}
	if (auto *G = dyn_cast<GEPOperator>(P)) {
		StructType *T;
		unsigned Field;
		if (lastField(G, T, Field)) {
			auto *D = member(T, Field);
			return D ? D->getBaseType() : nullptr;
		}
		const Value *Of = G->getPointerOperand();
		if (!isObject(Of))
			return pointee(Of, Depth + 1);
		auto *A = dyn_cast_or_null<DICompositeType>(strip(typeOf(Of, Depth + 1)));
		return A && A->getTag() == dwarf::DW_TAG_array_type ? A->getBaseType() : A;
	}
	if (isa<LoadInst>(P))
		return pointee(P, Depth + 1);
	return nullptr;
}

bool Names::keepsPointers(const Value *P) {
	auto *T = typeOf(P, 0);
	return T && holdsPointers(T);
}

const DIType *Names::pointee(const Value *P, int Depth) {
	if (Depth > MaxDepth)
		return nullptr;
	if (auto *L = dyn_cast<LoadInst>(P)) {
		auto *T = strip(typeOf(L->getPointerOperand(), Depth + 1));
		if (!isPointer(T))
			return nullptr;
		return cast<DIDerivedType>(T)->getBaseType();
	}
	return isObject(P) ? typeOf(P, Depth + 1) : nullptr;
}

} // namespace plumb
