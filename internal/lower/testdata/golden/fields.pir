program ptr64
unit 1 "/src/fields.c" c "x86_64-unknown-linux-gnu"
file 1 "/src/fields.c"
sig 1 "i32(ptr,ptr,i32)"
sig 2 "ptr(i64)"
sig 3 "ptr(ptr)"
sig 4 "void(ptr)"
struct $1 "anon" size=8 { 0 i32 "a"; 4 i32 "b" }
struct $2 "cfg" size=64 { 0 i32 "id"; 8 ptr "name"; 16 agg16 "m" $3; 32 agg32 "pos" $1 }
struct $3 "mem" size=16 { 0 ptr "alloc"; 8 ptr "release" }
global @global internal unit=1 agg64 size=64 $2 at f1:9 { 0 i32 1; 8 ptr @.str; 16 ptr @malloc; 24 ptr @free }
global @.str internal unit=1 const agg2 size=2 at f1:9 { 0 "x\x00" }
func @parse(%1: ptr s#1, %2: ptr c#2, %3: i32 n#3) i32 external nounwind unit=1 sig="i32(ptr,ptr,i32)" at f1:11 {
  scope s1 at f1:11:0 "parse"
  scope s2 in s1 at f1:15:2
  scope s3 in s2 at f1:15:2
  scope s4 in s3 at f1:15:30
  scope s5 in s1 at f1:13:6
  scope s6 in s1 at f1:14:6
  var #1 "s" "const char *" s1 line=11 arg=1
  var #2 "c" "struct cfg *" s1 line=11 arg=2
  var #3 "n" "int" s1 line=11 arg=3
  var #4 "buf" "char *" s1 line=12
  var #5 "i" "int" s2 line=15
  var #6 "tmp" "char *" s4 line=16
b1:
  %14: ptr = gep @global + 16 {cfg.m $2.2, mem.alloc $3.0}
  %15: ptr = gep @global + 24 {cfg.m $2.2, mem.release $3.1}
  set s#1 = %1
  set c#2 = %2
  set n#3 = %3
  %19: ptr buf#4 = call @malloc(i64 16)           ; fields.c:12:14 s1
  set buf#4 = %19                                 ; fields.c:12:8 s1
  %21: i1 = icmp ne %19, null                     ; fields.c:13:7 s5
  condbr %21, b3, b2                              ; fields.c:13:6 s1
b2:
  br b10                                          ; fields.c:13:12 s5
b3:
  %24: i8 = load %1                               ; fields.c:14:6 s6
  %25: i32 = sext %24                             ; fields.c:14:6 s6
  %26: i1 = icmp eq %25, i32 98                   ; fields.c:14:11 s6
  condbr %26, b4, b5                              ; fields.c:14:6 s1
b4:
  br b10                                          ; fields.c:14:19 s6
b5:
  set i#5 = i32 0                                 ; fields.c:15:11 s2
  br b6                                           ; fields.c:15:7 s2
b6: <- b5, b8
  %31: i32 i#5 = phi [b5: i32 0, b8: %46]
  %32: i1 = icmp slt %31, %3                      ; fields.c:15:20 s3
  condbr %32, b7, b9                              ; fields.c:15:2 s2
b7:
  %34: i64 = sext %31                             ; fields.c:16:24 s4
  %35: ptr = gep %1 + %34*1                       ; fields.c:16:24 s4
  %36: ptr tmp#6 = call @strdup(%35) nounwind     ; fields.c:16:15 s4
  set tmp#6 = %36                                 ; fields.c:16:9 s4
  %38: ptr = gep %2 + 8 {cfg.name $2.1}           ; fields.c:17:6 s4
  store %36, %38                                  ; fields.c:17:11 s4
  %40: ptr = gep %2 + 32 {cfg.pos $2.3}           ; fields.c:18:6 s4
  %41: i64 = sext %31                             ; fields.c:18:3 s4
  %42: ptr = gep %40 + %41*8                      ; fields.c:18:3 s4
  %43: ptr = gep %42 + 4 {anon.b $1.1}            ; fields.c:18:13 s4
  store %31, %43                                  ; fields.c:18:15 s4
  br b8                                           ; fields.c:19:2 s4
b8:
  %46: i32 i#5 = add %31, i32 1                   ; fields.c:15:26 s3
  set i#5 = %46                                   ; fields.c:15:26 s3
  br b6                                           ; fields.c:15:2 s3
b9:
  %49: ptr = load %14                             ; fields.c:20:17 s1
  %50: ptr buf#4 = call %49(i64 3) sig="ptr(i64)" ; fields.c:20:8 s1
  set buf#4 = %50                                 ; fields.c:20:6 s1
  %52: ptr = load %15                             ; fields.c:21:11 s1
  call %52(%50) sig="void(ptr)"                   ; fields.c:21:2 s1
  br b10                                          ; fields.c:22:2 s1
b10: <- b2, b4, b9
  %55: i32 = phi [b2: i32 -1, b4: i32 1, b9: i32 0]
  ret %55                                         ; fields.c:23:1 s1
}
func @malloc(%1) ptr external decl sig="ptr(i64)"
func @strdup(%1) ptr external decl nounwind sig="ptr(ptr)"
func @free(%1) void external decl sig="void(ptr)"
