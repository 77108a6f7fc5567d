// What the pass, the runtime and the reader of reports agree on.
//
// The pass (../pass) writes calls of these functions and one struct plumb_unit
// for each translation unit; the runtime (this directory) provides them; the
// runtime's report is read by package event. A change to any layout or meaning
// changes PLUMB_ABI: the runtime refuses units of another number.
#ifndef PLUMB_ABI_H
#define PLUMB_ABI_H

#include <stdint.h>

#define PLUMB_ABI 1

// Every tracked block lies in one stretch of addresses, so whether a word may
// be a pointer to one is a shift and a compare that the pass writes inline:
// (word >> PLUMB_HEAP_SHIFT) == PLUMB_HEAP_TAG.
#define PLUMB_HEAP_SHIFT 42
#define PLUMB_HEAP_TAG 4

// A site is a place in the source: a call, or a place at which a pointer goes
// away or is used. Code names it by a 32-bit id: the base that the runtime gave
// to the unit when it was loaded, plus the site's index in the unit. Ids below
// PLUMB_FIRST_SITE are of units that were not registered yet: unknown.
#define PLUMB_FIRST_SITE 0x100000u

// What happens at a site. The reader turns it into words.
enum plumb_what {
	PLUMB_CALL = 1,   // a call: it allocates, releases, or leads to what does
	PLUMB_OVERWRITE,  // a slot or variable that held the pointer gets another value
	PLUMB_SCOPE,      // the variable that held the pointer ends with its block
	PLUMB_RETURN,     // ... with its function
	PLUMB_JUMP,       // ... by break, continue or goto
	PLUMB_DROPPED,    // a call's result that is kept nowhere
	PLUMB_CLEAR,      // memory that held it is overwritten as a whole: memcpy, memset, struct assignment
	PLUMB_UNWIND,     // the frame is left by an exception or longjmp
	PLUMB_RELEASE,    // the memory that held it is released
	PLUMB_THREAD_END, // the thread whose stack or thread-local variable held it ends
	PLUMB_READ,       // last use: read through the pointer
	PLUMB_WRITE,      // ... written through it
	PLUMB_PASS,       // ... passed to a function
	PLUMB_GIVE,       // ... returned
};

// One site, constant data. Texts are offsets into the unit's text, where each
// ends with a zero byte; offset 0 is the empty text.
struct plumb_site {
	uint32_t file;     // as the compiler names it, made absolute by its directory
	uint32_t function; // demangling is the reader's work
	uint32_t holder;   // what held the pointer, as the source spells it: buf, cfg->name; empty if unnamed
	// Line 0: the line of the call that entered the function, the frame of the
	// event's context. So are events inside functions of system headers and those
	// that the compiler made: for the user they happen where they are called. Such
	// functions are transparent to contexts: theirs is that of the user's call.
	uint32_t line;
	uint16_t column;
	uint16_t what; // enum plumb_what
};
_Static_assert(sizeof(struct plumb_site) == 20, "site layout");

// One translation unit. The pass defines it and registers it in a constructor
// that runs before any other, and takes it back in a destructor (dlclose).
struct plumb_unit {
	uint32_t abi;
	uint32_t nsites;
	const struct plumb_site *sites;
	const char *text;
	uint64_t ntext; // bytes
	uint32_t *base; // the runtime writes the id of sites[0]; the unit's code reads it
};
void plumb_unit_begin(struct plumb_unit *);
void plumb_unit_end(struct plumb_unit *);

// A context is a node in the tree of calls: its parent context and the call site
// that leads from there. 0 is the root. Each instrumented function reads
// plumb_ctx once on entry: that is its own context. Before a call it writes the
// context of the callee. A library function that allocates for its caller reads
// plumb_ctx too: the node names the line of the call and all its callers, so no
// stack is ever walked. Recursion is folded: a call site occurs once in a chain.
//
// The pass caches answers at the call site, in four words chosen by the low bits
// of the parent: low half of a word the parent, high half the child. It calls
// plumb_child, with the word to fill, only when the parent differs. The low half
// of an empty word is all ones, which is no context.
extern _Thread_local uint32_t plumb_ctx __attribute__((tls_model("initial-exec")));
uint32_t plumb_child(uint32_t ctx, uint32_t site, uint64_t *cache) __attribute__((preserve_most));

// A pointer goes away. The caller has made sure that it points into the heap
// stretch. The last such event of a block is the place of its loss, if it turns
// out to be lost.
void plumb_drop(void *old, uint32_t site, uint32_t ctx) __attribute__((preserve_most));

// Every aligned word of the memory is a pointer that may go away; those that do
// not point into the heap stretch are skipped.
void plumb_drop_words(const void *memory, uint64_t bytes, uint32_t site, uint32_t ctx) __attribute__((preserve_most));

// The site (PLUMB_THREAD_END) at which the last function returned that a thread
// may run: where the thread ends, if it was its own.
extern _Thread_local uint32_t plumb_returned __attribute__((tls_model("initial-exec")));

// The same for memory whose type is not known (void *). On the stack it is left
// alone: variables that hold pointers are followed by their type, and in others
// lies what earlier frames left.
void plumb_drop_untyped(const void *memory, uint64_t bytes, uint32_t site, uint32_t ctx) __attribute__((preserve_most));

// A use of a pointer into the heap stretch (units built with last uses on).
void plumb_use(const void *p, uint32_t site, uint32_t ctx) __attribute__((preserve_most));

// Calls of functions that a model names as allocators and releasers of their
// own (pools): after the one, before the other.
void plumb_block(void *p, uint64_t size, uint32_t site, uint32_t ctx);
void plumb_unblock(void *p, uint32_t site, uint32_t ctx);

// A client request in valgrind's encoding: args[0] is the request. Replaces the
// inline assembly of valgrind's headers.
uint64_t plumb_valgrind(uint64_t otherwise, const uint64_t *args);

// Allocation at sites that were asked for, when only those are tracked
// (--only-reported). The pass sets it before a call there and clears it behind. For
// functions of the program the first allocation in the call is meant; a function of
// a library may need some for itself before, so all in it are.
#define PLUMB_TRACK_NEXT 1
#define PLUMB_TRACK_ALL 2
extern _Thread_local uint32_t plumb_track __attribute__((tls_model("initial-exec")));

#endif
