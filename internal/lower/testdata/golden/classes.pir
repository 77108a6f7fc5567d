program ptr64
unit 1 "/src/classes.cpp" c++ "x86_64-unknown-linux-gnu"
file 1 "/src/classes.cpp"
sig 1 "i32(...)"
sig 2 "i32(ptr)"
sig 3 "i32(ptr,i32)"
sig 4 "ptr(i64)"
sig 5 "ptr(ptr)"
sig 6 "void()"
sig 7 "void(ptr)"
sig 8 "void(ptr,i32)"
sig 9 "void(ptr,i64)"
sig 10 "void(ptr,ptr,ptr)"
struct $1 "store::Base" size=8 { 0 ptr }
struct $2 "store::Item" size=16 { 0 agg8 "Base" $1; 8 ptr "p" }
struct $3 "" size=24 { 0 ptr; 8 ptr; 16 ptr }
struct $4 "" size=40 { 0 agg40 }
global @_ZTIi external decl const ptr size=8
global @_ZTVN5store4ItemE linkonce unit=1 const agg40 size=40 $4 { 8 ptr @_ZTIN5store4ItemE; 16 ptr @_ZN5store4ItemD2Ev; 24 ptr @_ZN5store4ItemD0Ev; 32 ptr @_ZNK5store4Item3getEv }
global @_ZTVN10__cxxabiv120__si_class_type_infoE external decl agg0 size=0
global @_ZTSN5store4ItemE linkonce unit=1 const agg14 size=14 { 0 "N5store4ItemE\x00" }
global @_ZTIN5store4BaseE external decl const ptr size=8
global @_ZTIN5store4ItemE linkonce unit=1 const agg24 size=24 $3 { 0 ptr @_ZTVN10__cxxabiv120__si_class_type_infoE + 16; 8 ptr @_ZTSN5store4ItemE; 16 ptr @_ZTIN5store4BaseE }
global @_ZTVN5store4BaseE external decl const agg40 size=40 $4
func @_ZN5store3useERKNS_4BaseEi(%1: ptr b#1 nonnull, %2: i32 n#2) i32 external unit=1 sig="i32(ptr,i32)" at f1:13 display="store::use" personality=@__gxx_personality_v0 {
  scope s1 at f1:13:0 "store::use"
  scope s2 in s1 at f1:14:6
  scope s3 in s2 at f1:16:7
  scope s4 in s1 at f1:18:18
  var #1 "b" "const store::Base &" s1 line=13 arg=1
  var #2 "n" "int" s1 line=13 arg=2
  var #3 "it" "store::Item" s2 line=15
  var #4 "e" "int" s1 line=18
b1:
  %16: ptr it#3 = alloca 16 $2
  set b#1 = %1
  set n#2 = %2
  invoke @_ZN5store4ItemC2Ei(%16, %2) to b2 unwind b4 ; classes.cpp:15:8 s2
b2:
  %20: i1 = icmp sgt %2, i32 3                    ; classes.cpp:16:9 s3
  condbr %20, b3, b8                              ; classes.cpp:16:7 s2
b3:
  %22: ptr = call @__cxa_allocate_exception(i64 4) nounwind ; classes.cpp:16:14 s3
  store %2, %22                                   ; classes.cpp:16:14 s3
  invoke @__cxa_throw(%22, @_ZTIi, null) noreturn to b13 unwind b5 ; classes.cpp:16:14 s3
b4:
  %25: agg16 = landingpad @_ZTIi                  ; classes.cpp:21:1 s2
  %26: ptr = extractvalue %25 at 0                ; classes.cpp:21:1 s2
  %27: i32 = extractvalue %25 at 8                ; classes.cpp:21:1 s2
  br b6                                           ; classes.cpp:21:1 s2
b5: <- b3, b8, b9
  %29: agg16 = landingpad cleanup @_ZTIi          ; classes.cpp:21:1 s3
  %30: ptr = extractvalue %29 at 0                ; classes.cpp:21:1 s3
  %31: i32 = extractvalue %29 at 8                ; classes.cpp:21:1 s3
  call @_ZN5store4ItemD2Ev(%16) nounwind          ; classes.cpp:18:2 s1
  br b6                                           ; classes.cpp:18:2 s1
b6: <- b4, b5
  %34: i32 = phi [b4: %27, b5: %31]
  %35: ptr = phi [b4: %26, b5: %30]
  %36: i32 = call @llvm.eh.typeid.for.p0(@_ZTIi) nounwind ; classes.cpp:18:2 s2
  %37: i1 = icmp eq %34, %36                      ; classes.cpp:18:2 s2
  condbr %37, b7, b12                             ; classes.cpp:18:2 s2
b7:
  %39: ptr = call @__cxa_begin_catch(%35) nounwind ; classes.cpp:18:2 s2
  %40: i32 e#4 = load %39                         ; classes.cpp:18:2 s2
  set e#4 = %40                                   ; classes.cpp:18:2 s2
  call @__cxa_end_catch() nounwind                ; classes.cpp:20:2 s4
  br b11
b8:
  %44: ptr = load %1                              ; classes.cpp:17:12 s2
  %45: ptr = gep %44 + 16                         ; classes.cpp:17:12 s2
  %46: ptr = load %45                             ; classes.cpp:17:12 s2
  %47: i32 = invoke %46(%1) sig="i32(ptr)" to b9 unwind b5 ; classes.cpp:17:12 s2
b9:
  %48: i32 = invoke @_ZNK5store4Item3getEv(%16) to b10 unwind b5 ; classes.cpp:17:23 s2
b10:
  %49: i32 = add %47, %48                         ; classes.cpp:17:18 s2
  call @_ZN5store4ItemD2Ev(%16) nounwind          ; classes.cpp:18:2 s1
  br b11
b11: <- b7, b10
  %52: i32 = phi [b7: %40, b10: %49]
  ret %52                                         ; classes.cpp:21:1 s1
b12:
  %54: agg16 = insertvalue agg16 undef, %35 at 0  ; classes.cpp:18:2 s2
  %55: agg16 = insertvalue %54, %34 at 8          ; classes.cpp:18:2 s2
  resume %55                                      ; classes.cpp:18:2 s2
b13:
  unreachable
}
func @_ZN5store4ItemC2Ei(%1: ptr this#1 nonnull, %2: i32 n#2) void linkonce unit=1 sig="void(ptr,i32)" at f1:9 display="store::Item::Item" personality=@__gxx_personality_v0 {
  scope s1 at f1:9:0 "store::Item::Item"
  scope s2 in s1 at f1:9:30
  var #1 "this" "store::Item *" s1 arg=1 artificial
  var #2 "n" "int" s1 line=9 arg=2
b1:
  %9: ptr = gep @_ZTVN5store4ItemE + 16 {. $4.0}
  set this#1 = %1
  set n#2 = %2
  call @_ZN5store4BaseC2Ev(%1) nounwind           ; classes.cpp:9:2 s1
  store %9, %1                                    ; classes.cpp:9:30 s1
  %14: ptr = gep %1 + 8 {"store::Item.p" $2.1}    ; classes.cpp:9:16 s1
  %15: ptr = invoke @_Znwm(i64 4) to b2 unwind b3 ; classes.cpp:9:18 s1
b2:
  store %2, %15                                   ; classes.cpp:9:18 s1
  store %15, %14                                  ; classes.cpp:9:16 s1
  ret                                             ; classes.cpp:9:31 s1
b3:
  %19: agg16 = landingpad cleanup                 ; classes.cpp:9:31 s1
  %20: ptr = extractvalue %19 at 0                ; classes.cpp:9:31 s1
  %21: i32 = extractvalue %19 at 8                ; classes.cpp:9:31 s1
  call @_ZN5store4BaseD2Ev(%1) nounwind           ; classes.cpp:9:31 s2
  br b4                                           ; classes.cpp:9:31 s2
b4:
  %24: agg16 = insertvalue agg16 undef, %20 at 0  ; classes.cpp:9:31 s2
  %25: agg16 = insertvalue %24, %21 at 8          ; classes.cpp:9:31 s2
  resume %25                                      ; classes.cpp:9:31 s2
}
func @__gxx_personality_v0() i32 external decl variadic sig="i32(...)"
func @__cxa_allocate_exception(%1) ptr external decl sig="ptr(i64)"
func @__cxa_throw(%1, %2, %3) void external decl sig="void(ptr,ptr,ptr)"
func @_ZNK5store4Item3getEv(%1: ptr this#1 nonnull) i32 linkonce nounwind unit=1 sig="i32(ptr)" at f1:11 display="store::Item::get" {
  scope s1 at f1:11:0 "store::Item::get"
  var #1 "this" "const store::Item *" s1 arg=1 artificial
b1:
  set this#1 = %1
  %3: ptr = gep %1 + 8 {"store::Item.p" $2.1}     ; classes.cpp:11:37 s1
  %4: ptr = load %3                               ; classes.cpp:11:37 s1
  %5: i32 = load %4                               ; classes.cpp:11:36 s1
  ret %5                                          ; classes.cpp:11:29 s1
}
func @_ZN5store4ItemD2Ev(%1: ptr this#1 nonnull) void linkonce nounwind unit=1 sig="void(ptr)" at f1:10 display="store::Item::~Item" {
  scope s1 at f1:10:0 "store::Item::~Item"
  scope s2 in s1 at f1:10:19
  var #1 "this" "store::Item *" s1 arg=1 artificial
b1:
  %7: ptr = gep @_ZTVN5store4ItemE + 16 {. $4.0}
  set this#1 = %1
  store %7, %1                                    ; classes.cpp:10:19 s1
  %10: ptr = gep %1 + 8 {"store::Item.p" $2.1}    ; classes.cpp:10:28 s2
  %11: ptr = load %10                             ; classes.cpp:10:28 s2
  %12: i1 = icmp eq %11, null                     ; classes.cpp:10:21 s2
  condbr %12, b3, b2                              ; classes.cpp:10:21 s2
b2:
  call @_ZdlPvm(%11, i64 4) nounwind              ; classes.cpp:10:21 s2
  br b3                                           ; classes.cpp:10:21 s2
b3: <- b1, b2
  call @_ZN5store4BaseD2Ev(%1) nounwind           ; classes.cpp:10:31 s2
  ret                                             ; classes.cpp:10:31 s1
}
func @llvm.eh.typeid.for.p0(%1) i32 external decl nounwind intrinsic readnone sig="i32(ptr)"
func @__cxa_begin_catch(%1) ptr external decl sig="ptr(ptr)"
func @__cxa_end_catch() void external decl sig="void()"
func @llvm.trap() void external decl noreturn nounwind intrinsic sig="void()"
func @_ZN5store4BaseC2Ev(%1: ptr this#1 nonnull) void linkonce nounwind artificial unit=1 sig="void(ptr)" at f1:3 display="store::Base::Base" {
  scope s1 at f1:3:0 "store::Base::Base"
  var #1 "this" "store::Base *" s1 arg=1 artificial
b1:
  %3: ptr = gep @_ZTVN5store4BaseE + 16 {. $4.0}
  set this#1 = %1
  store %3, %1                                    ; classes.cpp:3:8 s1
  ret                                             ; classes.cpp:3:8 s1
}
func @_Znwm(%1) ptr external decl nonnull sig="ptr(i64)"
func @_ZN5store4BaseD2Ev(%1 nonnull) void external decl nounwind sig="void(ptr)"
func @_ZN5store4ItemD0Ev(%1: ptr this#1 nonnull) void linkonce nounwind unit=1 sig="void(ptr)" at f1:10 display="store::Item::~Item" {
  scope s1 at f1:10:0 "store::Item::~Item"
  var #1 "this" "store::Item *" s1 arg=1 artificial
b1:
  set this#1 = %1
  call @_ZN5store4ItemD2Ev(%1) nounwind           ; classes.cpp:10:19 s1
  call @_ZdlPvm(%1, i64 16) nounwind              ; classes.cpp:10:19 s1
  ret                                             ; classes.cpp:10:31 s1
}
func @_ZdlPvm(%1, %2) void external decl nounwind sig="void(ptr,i64)"
