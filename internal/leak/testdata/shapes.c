// One leak in many shapes, and its repair: flags that never change, loops that run
// once, copies through pointers, unions, arrays, structs, results and function
// pointers. What a global still holds at exit (bad68) is no leak.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void printLine(const char *s) { if (s) printf("%s\n", s); }
static int staticTrue = 1, staticFalse = 0;
int globalTrue = 1, globalFalse = 0, globalFive = 5;
const int GLOBAL_CONST_TRUE = 1;
int globalReturnsTrue() { return 1; }
int globalReturnsFalse() { return 0; }
static int staticReturnsTrue() { return 1; }
void bad05() { char *data = NULL; if (staticTrue) { data = malloc(100); if (!data) exit(-1); strcpy(data, "A"); printLine(data); } if (staticTrue) { ; } } // alloc: bad05; leak: bad05
void good05() { char *data = NULL; if (staticTrue) { data = malloc(100); if (!data) exit(-1); strcpy(data, "A"); printLine(data); } if (staticFalse) { printLine("Benign"); } else { free(data); } }
void good10() { char *data = NULL; if (globalTrue) { data = malloc(100); if (!data) exit(-1); printLine("x"); } if (globalFalse) { printLine("Benign"); } else { free(data); } }
void good11() { char *data = NULL; if (globalReturnsTrue()) { data = malloc(100); if (!data) exit(-1); printLine("x"); } if (globalReturnsFalse()) { printLine("Benign"); } else { free(data); } }
void good14() { char *data = NULL; if (globalFive == 5) { data = malloc(100); if (!data) exit(-1); printLine("x"); } if (globalFive != 5) { printLine("Benign"); } else { free(data); } }
void bad16() { char *data = NULL; while (1) { data = malloc(100); if (!data) exit(-1); printLine(data); break; } while (1) { ; break; } } // alloc: bad16; leak: bad16
void good17() { int h; char *data = NULL; for (h = 0; h < 1; h++) { data = malloc(100); if (!data) exit(-1); printLine("x"); } for (h = 0; h < 1; h++) { free(data); } }
static int badStatic = 0;
static void badSink21(char *data) { if (badStatic) { ; } }
void bad21() { char *data = NULL; data = malloc(100); if (!data) exit(-1); printLine(data); badStatic = 1; badSink21(data); } // alloc: bad21; leak: bad21
static void goodSink21(char *data) { if (badStatic) { printLine("b"); } else { free(data); } }
void good21() { char *data = NULL; data = malloc(100); if (!data) exit(-1); printLine(data); badStatic = 0; goodSink21(data); }
void bad32() { char *data; char **p1 = &data; char **p2 = &data; data = NULL; { char *data = *p1; data = malloc(100); if (!data) exit(-1); *p1 = data; } { char *data = *p2; printLine(data); } } // alloc: bad32; leak: bad32
void good32() { char *data; char **p1 = &data; char **p2 = &data; data = NULL; { char *data = *p1; data = malloc(100); if (!data) exit(-1); *p1 = data; } { char *data = *p2; free(data); } }
typedef union { char *a; char *b; } U;
void bad34() { char *data; U u; data = NULL; data = malloc(100); if (!data) exit(-1); u.a = data; { char *data = u.b; printLine(data); } } // alloc: bad34; leak: bad34
void good34() { char *data; U u; data = NULL; data = malloc(100); if (!data) exit(-1); u.a = data; { char *data = u.b; free(data); } }
static char *src42(char *data) { data = malloc(100); if (!data) exit(-1); return data; }
void bad42() { char *data = NULL; data = src42(data); printLine(data); } // alloc: bad42; leak: bad42
static void sink44(char *data) { printLine(data); }
static void gsink44(char *data) { free(data); }
void bad44() { char *data = NULL; void (*fp)(char *) = sink44; data = malloc(100); if (!data) exit(-1); fp(data); } // alloc: bad44; leak: bad44
void good44() { char *data = NULL; void (*fp)(char *) = gsink44; data = malloc(100); if (!data) exit(-1); fp(data); }
static void sink63(char **p) { char *data = *p; printLine(data); }
static void gsink63(char **p) { char *data = *p; free(data); }
void bad63() { char *data = NULL; data = malloc(100); if (!data) exit(-1); sink63(&data); } // alloc: bad63; leak: bad63
void good63() { char *data = NULL; data = malloc(100); if (!data) exit(-1); gsink63(&data); }
static void sink64(void *p) { char **pp = (char **)p; char *data = *pp; printLine(data); }
void bad64() { char *data = NULL; data = malloc(100); if (!data) exit(-1); sink64(&data); } // alloc: bad64; leak: bad64
static void sink66(char *arr[]) { char *data = arr[2]; printLine(data); }
static void gsink66(char *arr[]) { char *data = arr[2]; free(data); }
void bad66() { char *data = NULL; char *arr[5]; data = malloc(100); if (!data) exit(-1); arr[2] = data; sink66(arr); } // alloc: bad66; leak: bad66
void good66() { char *data = NULL; char *arr[5]; data = malloc(100); if (!data) exit(-1); arr[2] = data; gsink66(arr); }
typedef struct { char *first; } S;
static void sink67(S s) { char *data = s.first; printLine(data); }
static void gsink67(S s) { char *data = s.first; free(data); }
void bad67() { char *data = NULL; S s; data = malloc(100); if (!data) exit(-1); s.first = data; sink67(s); } // alloc: bad67; leak: bad67
void good67() { char *data = NULL; S s; data = malloc(100); if (!data) exit(-1); s.first = data; gsink67(s); }
static char *g68; static void sink68() { char *data = g68; printLine(data); } 
void bad68() { char *data = NULL; data = malloc(100); if (!data) exit(-1); g68 = data; sink68(); }
void badrealloc() { char *data = malloc(100); if (!data) exit(-1); printLine(data); data = realloc(data, 130000); if (data) { printLine(data); free(data); } } // alloc: badrealloc; leak: badrealloc; not-run: badrealloc
void goodrealloc() { char *data = malloc(100); char *tmp; if (!data) exit(-1); tmp = realloc(data, 130000); if (tmp) { data = tmp; printLine(data); } free(data); }
int main() { bad05(); good05(); good10(); good11(); good14(); bad16(); good17(); bad21(); good21(); bad32(); good32(); bad34(); good34(); bad42(); bad44(); good44(); bad63(); good63(); bad64(); bad66(); good66(); bad67(); good67(); bad68(); badrealloc(); goodrealloc(); return 0; }
