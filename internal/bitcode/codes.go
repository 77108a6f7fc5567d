// This file holds the numbers of LLVM's bitcode format that are used by name.

package bitcode

// Block ids.
const (
	blkInfo           = 0
	blkModule         = 8
	blkParamAttr      = 9
	blkParamAttrGroup = 10
	blkConstants      = 11
	blkFunction       = 12
	blkIdentification = 13
	blkVST            = 14
	blkMetadata       = 15
	blkMDAttachment   = 16
	blkType           = 17
	blkUseList        = 18
	blkModuleStrtab   = 19
	blkSummary        = 20
	blkBundleTags     = 21
	blkMDKind         = 22
	blkStrtab         = 23
	blkFullLTOSummary = 24
	blkSymtab         = 25
	blkSyncScopes     = 26
)

// Module record codes.
const (
	modVersion    = 1
	modTriple     = 2
	modDataLayout = 3
	modAsm        = 4
	modSection    = 5
	modDepLib     = 6
	modGlobalVar  = 7
	modFunction   = 8
	modGCName     = 11
	modComdat     = 12
	modVSTOffset  = 13
	modAlias      = 14
	modUnusedMD   = 15
	modSourceName = 16
	modHash       = 17
	modIFunc      = 18
)

// Type record codes.
const (
	tyNumEntry    = 1
	tyVoid        = 2
	tyFloat       = 3
	tyDouble      = 4
	tyLabel       = 5
	tyOpaque      = 6
	tyInteger     = 7
	tyPointer     = 8
	tyHalf        = 10
	tyArray       = 11
	tyVector      = 12
	tyX86FP80     = 13
	tyFP128       = 14
	tyPPCFP128    = 15
	tyMetadata    = 16
	tyX86MMX      = 17
	tyStructAnon  = 18
	tyStructName  = 19
	tyStructNamed = 20
	tyFunction    = 21
	tyToken       = 22
	tyBFloat      = 23
	tyX86AMX      = 24
	tyOpaquePtr   = 25
	tyTarget      = 26
)

// Constant record codes.
const (
	cstSetType       = 1
	cstNull          = 2
	cstUndef         = 3
	cstInteger       = 4
	cstWideInteger   = 5
	cstFloat         = 6
	cstAggregate     = 7
	cstString        = 8
	cstCString       = 9
	cstBinop         = 10
	cstCast          = 11
	cstGEPOld        = 12
	cstSelect        = 13
	cstExtractElt    = 14
	cstInsertElt     = 15
	cstShuffleVec    = 16
	cstCmp           = 17
	cstAsmOld        = 18
	cstShuffleVecEx  = 19
	cstInboundsGEP   = 20
	cstBlockAddress  = 21
	cstData          = 22
	cstAsmOld2       = 23
	cstGEPInrangeOld = 24
	cstUnop          = 25
	cstPoison        = 26
	cstDSOLocal      = 27
	cstAsmOld3       = 28
	cstNoCFI         = 29
	cstAsm           = 30
	cstGEPInrange    = 31
	cstGEP           = 32
	cstPtrAuth       = 33
	cstPtrAuth2      = 34
)

// Function record codes.
const (
	fnDeclareBlocks  = 1
	fnBinop          = 2
	fnCast           = 3
	fnGEPOld         = 4
	fnSelectOld      = 5
	fnExtractElt     = 6
	fnInsertElt      = 7
	fnShuffleVec     = 8
	fnCmp            = 9
	fnRet            = 10
	fnBr             = 11
	fnSwitch         = 12
	fnInvoke         = 13
	fnUnreachable    = 15
	fnPhi            = 16
	fnAlloca         = 19
	fnLoad           = 20
	fnVAArg          = 23
	fnExtractVal     = 26
	fnInsertVal      = 27
	fnCmp2           = 28
	fnVSelect        = 29
	fnIndirectBr     = 31
	fnDebugLocAgain  = 33
	fnCall           = 34
	fnDebugLoc       = 35
	fnFence          = 36
	fnAtomicRMWOld   = 38
	fnResume         = 39
	fnLoadAtomic     = 41
	fnGEP            = 43
	fnStore          = 44
	fnStoreAtomic    = 45
	fnCmpXchg        = 46
	fnLandingPad     = 47
	fnCleanupRet     = 48
	fnCatchRet       = 49
	fnCatchPad       = 50
	fnCleanupPad     = 51
	fnCatchSwitch    = 52
	fnBundle         = 55
	fnUnop           = 56
	fnCallBr         = 57
	fnFreeze         = 58
	fnAtomicRMW      = 59
	fnBlockAddrUsers = 60
	fnDbgValue       = 61
	fnDbgDeclare     = 62
	fnDbgAssign      = 63
	fnDbgValueSimple = 64
	fnDbgLabel       = 65
	fnDbgDeclareVal  = 66
)

// Metadata record codes.
const (
	mdStringOld      = 1
	mdValue          = 2
	mdNode           = 3
	mdName           = 4
	mdDistinctNode   = 5
	mdKind           = 6
	mdLocation       = 7
	mdNamedNode      = 10
	mdGenericDebug   = 12
	mdSubrange       = 13
	mdEnumerator     = 14
	mdBasicType      = 15
	mdFile           = 16
	mdDerivedType    = 17
	mdCompositeType  = 18
	mdSubroutineType = 19
	mdCompileUnit    = 20
	mdSubprogram     = 21
	mdLexicalBlock   = 22
	mdLexicalFile    = 23
	mdNamespace      = 24
	mdGlobalVar      = 27
	mdLocalVar       = 28
	mdExpression     = 29
	mdStrings        = 35
	mdGlobalAttach   = 36
	mdGlobalVarExpr  = 37
	mdIndexOffset    = 38
	mdIndex          = 39
	mdLastKnown      = 49
)
