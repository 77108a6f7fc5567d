program ptr64
unit 1 "a.c" c "x86_64-pc-linux-gnu"
unit 2 "dir/b c.cpp" c++ ""
file 1 "/src/a.c"
file 2 "/src/inc/b c.h"
sig 1 "ptr(i64)"
sig 2 "i32(ptr,...)"
sig 3 "void()"
struct $1 "cfg" size=24 { 0 i32 "id"; 4 i32; 8 ptr "name"; 16 agg8 "pos" $2 }
struct $2 union "ns::u<int>" size=8 { 0 i64 "l"; 0 f64 "d" }
struct $3 "empty" size=0 { }
global @g external unit=1 i32 size=4 at f1:3
global @.str internal unit=1 const agg4 size=4 { 0 "a\x00\"\n" }
global @table internal unit=1 agg64 size=64 $1 at f1:4 display="ns::table" {
  0 i32 -7
  8 ptr @.str + 2
  16 ptr @x#f7
  24 ptr @x#g5
  32 f64 0x3ff0000000000000
  40 ptr ?
  48 ptr @malloc - 1
}
global @ext external decl tls ptr size=8
global @x#g5 internal unit=2 i8 size=1
global @"odd name" weak i8 size=1
func @malloc(%1) ptr external decl nounwind noalias sig="ptr(i64)" alloc="alloc,uninitialized:malloc"
func @free(%1 nocapture freed) void external decl
func @__gxx_personality_v0() i32 external decl variadic
func @log(%1 nocapture readonly) i32 external decl variadic sig="i32(ptr,...)"
func @exit(%1) void external decl noreturn nounwind
func @x#f6() void internal unit=1 sig="void()" {
b1:
  ret
}
func @x#f7() void internal unit=2 sig="void()" {
b1:
  ret
}
func @_Z5parsePKc(%1: ptr s#1 nonnull noalias, %2: i32 n#2) i32 external noreturn unit=1 sig="i32(ptr,...)" at f1:10 display="parse(char const*)" personality=@__gxx_personality_v0 {
  scope s1 at f1:10:1 "parse"
  scope s2 in s1 at f1:12:3
  scope s3 in s2 at f2:40:1 "inlined"
  var #1 "s" "const char *" s1 line=10 arg=1
  var #2 "n" "int" s1 line=10 arg=2
  var #3 "buf" "char *" s2 line=12
  var #4 "this" "C *" artificial
  var #5 "readonly" "int"
b1:
  %10: ptr buf#3 = call @malloc(i64 16) nounwind tail     ; a.c:12:15 s2
  set buf#3 = %10                                         ; a.c:12:9 s2
  %12: ptr readonly#5 = alloca 24 $1                      ; "b c.h":41:2 s3 in a.c:13:5 s2
  %13: ptr = alloca 1, %2
  %14: i1 = icmp eq %10, null                             ; a.c:0:0
  condbr %14, b2, b3                                      ; a.c:14:7 s1
b2:
  store volatile i32 -1, %12
  %17: i32 = load atomic @g
  %18: ptr = gep %12 + 8 + %2*24 + i64 3*-4 {cfg.name $1.2, "ns::u<int>.l" $2.0}
  %19: ptr = gep %18 - 8
  %20: f64 = fadd f64 0x3ff0000000000000, f64 undef
  %21: i1 = fcmp une %20, f64 0x0
  memcpy %12, %13, i64 24
  memmove %12, %13, i64 24
  memset %12, i8 0, i64 24
  %25: i128 = add i128 ~5, i128 -5
  %26: agg16 = cmpxchg @g, i32 0, i32 1
  %27: i32 = extractvalue %26 at 0
  %28: agg16 = insertvalue agg16 null, %27 at 8
  %29: i32 = atomicrmw sub=3 @g, i32 1
  fence
  %31: vec16 = shuffle vec16 data "\x00\x01", vec16 undef
  %32: i32 = call %10(%1, @log) sig="i32(ptr,...)"
  call asm "nop"() noreturn
  call @log(null) sig=0
  lifestart %12 var=buf#3
  br b4
b3:
  %38: i32 = invoke @log(%1, @.str) to b4 unwind b5
b4: <- b3, b2
  %39: i32 n#2 = phi [b3: %38, b2: i32 7]
  switch %39 [i32 1: b6, i32 2: b6, i32 3: b7] else b8
b5:
  %41: agg16 = landingpad cleanup null, @table
  resume %41
b6: <- b4, b4
  %43: i32 = phi [b4: i32 1, b4: i32 2]
  ret %43
b7:
  indirectbr label b8, b8, b9
b8: <- b4, b7
  %46: ptr = select %14, label b0, @x#g5
  callbr asm "jmp"(%46) to b9, b10
b9: <- b7, b8
  call @exit(i32 1) noreturn
  unreachable
b10:
  %50: token = cleanuppad token null
  cleanupret %50
}
