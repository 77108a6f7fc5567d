// What the files of the runtime share. Nothing here is seen by user programs:
// everything is built with hidden visibility, but for the functions of abi.h and
// those of libc that the runtime replaces.
//
// Two stretches of addresses are the runtime's own, taken at start and never
// given back, of which only the touched pages cost memory:
//
//   [4<<42, 5<<42)  the heap: 64 size classes of 32 GiB, then 2 TiB of large blocks
//   [3<<42, 4<<42)  tables: contexts, what is known of large blocks, lists of the marker
//
// The marker leaves the tables out by address, so tables may hold block
// addresses only there. Static data and stacks of the runtime hold indices.
#ifndef PLUMB_RT_H
#define PLUMB_RT_H

#include <stddef.h>
#include <stdint.h>

#include "abi.h"

// In a static program only a section of its own tells the runtime's code from the
// program's: stop.c asks where a thread is.
#ifdef PLUMB_STATIC
#pragma clang section text = "plumb_text"
extern char __start_plumb_text[], __stop_plumb_text[];
#endif

#define EXPORT __attribute__((visibility("default")))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define NOINLINE __attribute__((noinline))
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define TLS_FAST __attribute__((tls_model("initial-exec")))

// ---- addresses

#define HEAP_BASE ((uintptr_t)PLUMB_HEAP_TAG << PLUMB_HEAP_SHIFT)
#define HEAP_END (HEAP_BASE + ((uintptr_t)1 << PLUMB_HEAP_SHIFT))
#define CLASS_SHIFT 35
#define CLASS_SPAN ((uintptr_t)1 << CLASS_SHIFT)
#define NCLASSES 64 // small ones; the other 64 spans are of large blocks
#define LARGE_BASE (HEAP_BASE + NCLASSES * CLASS_SPAN)
#define UNIT_SHIFT 16 // large blocks are counted in units of 64 KiB of addresses

#define TABLES_BASE (HEAP_BASE - ((uintptr_t)1 << 42))
#define USE_BASE (TABLES_BASE + ((uintptr_t)1 << 41))
#define OWN_BASE (USE_BASE + ((uintptr_t)1 << 40))

static inline int plumb_in_heap(uintptr_t p) { return p >> PLUMB_HEAP_SHIFT == PLUMB_HEAP_TAG; }

// ---- blocks

// What is known of a block: 16 bytes in front of it. An event is a store to the
// cache line that the program has just used; in a table beside it would be one
// more miss.
struct plumb_meta {
	uint32_t alloc; // context of its allocation; of a free slot: the next free one
	uint32_t info;  // SLACK, OFFSET and flags; 0 if free
	uint64_t lost;  // site of the last removal event, its context in the upper half
};
#define SLACK_MASK 0xffffu             // bytes of the slot behind the block
#define OFFSET_SHIFT 16                // 12 bits: start of the block in its slot, in 16 bytes; 1 if not aligned
#define OFFSET_MASK 0xfffu
#define META_LIVE (1u << 28)
#define META_MARK (1u << 29)           // set by the marker
#define META_ROOT (1u << 30)           // the dynamic linker's own, or with sub-blocks: a root, never reported
#define META_FLAG (1u << 31)           // marker: a FILE on libc's list; writer: kept by libc

// An event whose site is AT_NODE happened at the call that a node names: free's.
#define AT_NODE 1u
static inline uint64_t plumb_event(uint32_t site, uint32_t ctx) { return (uint64_t)ctx << 32 | site; }

struct plumb_class {
	uint64_t inverse; // 2^64 / size, rounded up
	uint32_t limit;   // slots handed out so far; 0 for the spans of large blocks
	uint32_t size;
};
extern struct plumb_class plumb_classes[128];

// A large block; index 0 is none.
struct plumb_large {
	struct plumb_meta meta;
	uint64_t size;   // asked for
	uint64_t use;
	uint32_t unit;   // first unit
	uint32_t units;  // how many
	uint32_t next, prev; // free list
	uint8_t state;   // 0 unused, 1 live, 2 free
	uint8_t inherited; // 1: from before the fork that made the process
};
extern struct plumb_large *const plumb_larges;
extern uint32_t plumb_nlarges; // in use or free: indices 1..plumb_nlarges

struct plumb_ref {
	struct plumb_meta *meta;
	uint64_t *use; // last use; readable only if plumb_uses
	uintptr_t start;
	size_t size;
};

static inline uintptr_t plumb_slot_at(uint32_t class, uint32_t index) {
	return HEAP_BASE + ((uintptr_t)class << CLASS_SHIFT) + (uintptr_t)index * plumb_classes[class].size;
}
static inline struct plumb_meta *plumb_meta_at(uint32_t class, uint32_t index) {
	return (struct plumb_meta *)plumb_slot_at(class, index);
}
// The live block that the address points into, its end included (a slot is
// larger than its block). 0 if there is none. Takes no lock.
int plumb_find(uintptr_t p, struct plumb_ref *out);

void *plumb_alloc(size_t size, size_t align, uint32_t node, uint32_t flags); // 0 and errno on failure
void plumb_free(void *p, uint32_t node);  // its words are events
void *plumb_realloc(void *p, size_t size, uint32_t node, uint32_t flags);
size_t plumb_size(void *p);

extern int plumb_uses;    // last uses are recorded
extern int plumb_extra;   // a slot that is taken has more to be written: last uses, or what was inherited
extern int plumb_mixed;   // --only-reported: most blocks are libc's
extern int plumb_fallback; // no address space: every block is libc's
extern int plumb_started; // constructors have begun
extern _Thread_local int plumb_creating TLS_FAST; // inside libc's pthread_create
extern int plumb_exiting; // exit handlers have begun

// Set once sub-blocks exist (pools in a block); then drop and use ask
// plumb_sub_event whether a sub-block is meant. Returns 1 if it took the event.
extern int plumb_have_subs;
int plumb_sub_event(uintptr_t p, uint64_t event, int is_use);

// ---- threads' caches of free slots

#define RESTING 32
struct plumb_bin {
	uint32_t head; // list through meta.alloc
	uint32_t room; // how many more frees it takes
	uint32_t next, end; // slots never used, [next, end)
	uint32_t turn, mask; // of resting: how many have come, how many there are, less one
	uint32_t resting[RESTING]; // released last, not to be given out yet; 0 is none
};
#define ORIGINS 1024
#define ORIGIN_FRAMES 16
struct plumb_origin {
	uintptr_t ra, sp;
	uint32_t ctx, node;
	uint32_t age, n;
	uint64_t pcs;                // of the return addresses that a walk found, mixed
	uint32_t slot[ORIGIN_FRAMES]; // where on the stack they were, from sp
};
struct plumb_thread {
	struct plumb_bin bins[NCLASSES];
	struct plumb_origin origins[ORIGINS];
	uint32_t used; // 1: belongs to a thread
	uint32_t busy; // inside a walk of the stack: no second one
	uint32_t epoch; // rises with each thread that it belonged to: origins are of one stack
};
extern _Thread_local struct plumb_thread *plumb_self TLS_FAST;
void plumb_thread_end(void); // gives this thread's slots back; later frees go to the central lists
// In the child of a fork: slots of the threads that are gone are given back.
void plumb_forget_threads(void);
void plumb_inherit(void); // then: what is live now is from the parent
extern int plumb_orphaned; // there were other threads: what they had in registers is not known

// ---- tables

void *plumb_own(size_t bytes); // zeroed memory of the tables, never given back
int plumb_commit(uintptr_t from, uintptr_t to); // make readable and writable; 0 on success
void plumb_init(void); // idempotent; every entry that may come first calls it

// A lock that a thread stopped by a signal may hold: the checker takes all of
// them before it stops the others.
struct plumb_lock { uint32_t state; };
void plumb_lock(struct plumb_lock *);
void plumb_unlock(struct plumb_lock *);
extern _Thread_local int plumb_held TLS_FAST; // how many the calling thread holds or waits for
extern int plumb_impatient; // the process is about to die: no lock is worth waiting for long
void plumb_lock_all(void);   // before fork, before stopping threads
void plumb_unlock_all(void);
void plumb_reset_locks(void); // child of fork: as plumb_unlock_all

// ---- contexts and frames

struct plumb_node { uint32_t parent, frame; };
extern struct plumb_node *plumb_nodes;
extern uint32_t plumb_nnodes;
#define PC_FRAME 0x80000000u // frames of code without sites; else a site id
uint32_t plumb_node(uint32_t parent, uint32_t frame);
// The context of an allocation or release called from ra, whose caller's frame
// begins at sp. *flags gets META_ROOT for the dynamic linker.
uint32_t plumb_origin(uintptr_t ra, uintptr_t sp, uint32_t *flags);
extern uintptr_t plumb_code_lo, plumb_code_len; // first module with sites: the common case
extern uint32_t plumb_age; // rises when a module goes away: what was known of addresses is stale

struct plumb_pc { uintptr_t pc; uint32_t module; uint32_t pad; };
struct plumb_module {
	uintptr_t base, lo, hi; // load address, span of its segments
	char *path;
	uint8_t id[32];
	uint32_t nid;
	uint8_t gone, has_units, is_system;
};
extern struct plumb_module plumb_modules[];
extern uint32_t plumb_nmodules;
uint32_t plumb_module_of(uintptr_t pc); // index + 1; 0 if in none
uint32_t plumb_pc_frame(uintptr_t pc);
extern struct plumb_pc *plumb_pcs;
extern uint32_t plumb_npcs;

const struct plumb_site *plumb_site_of(uint32_t id, const char **text); // 0 if unknown

// ---- the world (thread side: see the files beside)

// A stopped thread, or the caller itself: what of its stack is alive.
struct plumb_stopped {
	int tid;
	uintptr_t sp;        // live part of the stack begins here
	uintptr_t stack_lo;  // lowest address of the stack, 0 if not known: then its mapping's start
	uintptr_t stack_hi;
	uintptr_t regs[18];  // roots
	int nregs;
};
struct plumb_range { uintptr_t lo, hi; };
// In the tables, as registers are roots only when they are said to be.
struct plumb_world {
	int nthreads;
	struct plumb_stopped *threads; // all but the caller
	int nskip;
	struct plumb_range *skip;      // stacks of finished threads and the like: no roots
	int unstopped;                 // threads that did not stop: a note
};
void plumb_stop_world(struct plumb_world *);
void plumb_start_world(struct plumb_world *);
// Where the stack begins (its lowest address) that the caller's sp is on; sp if
// that is not known: then nothing below sp is left out.
uintptr_t plumb_stack_low(uintptr_t sp);
// More roots, blocks and notes of other files: called during a check.
void plumb_more_roots(void (*scan)(uintptr_t lo, uintptr_t hi));

// ---- the check

enum plumb_reason { REASON_EXIT, REASON_CHECK, REASON_SIGNAL, REASON_CRASH, REASON_ABORT };
// Marks, sweeps, writes the report. sp: the live part of the caller's stack; regs
// (may be 0): roots. Returns lost bytes. One thread at a time; a second caller returns 0.
uint64_t plumb_check_now(enum plumb_reason, int number, uintptr_t sp, const uintptr_t *regs, int nregs);
struct plumb_totals { uint64_t live_blocks, live_bytes, lost_blocks, lost_bytes; };
extern struct plumb_totals plumb_last_check;
void plumb_check_after_fork(void); // the child: no thread of it checks
void plumb_scan(uintptr_t lo, uintptr_t hi); // marks what the words point to

// Where the live part of the main stack began when exit was called or main returned.
extern uintptr_t plumb_exit_sp;
extern uintptr_t plumb_exit_regs[6];
extern int plumb_exit_nregs;

// Pages of blocks that the program has made unreadable (mmap.c). plumb_readable
// is the end of what can be read from *lo on; *lo moves behind what cannot.
extern uint32_t plumb_nguards;
uintptr_t plumb_readable(uintptr_t *lo, uintptr_t hi);
void plumb_lock_maps(void), plumb_unlock_maps(void);

// ---- options, output

struct plumb_options {
	char out[4096];
	int lost, forgotten;
	int on_leak; // 'r', 'b', 'e'
	uint64_t after_bytes;
	int exit_code;
	int signal;
	int exit, mmap, only, depth;
};
extern struct plumb_options plumb_opt;
void plumb_read_options(void);
void plumb_say(const char *text, ...); // to stderr, "plumb: " first; %s %d %x %l
void plumb_note(const char *text);     // note line of the next report
extern int plumb_out_fd; // directory of the reports, -1 if none
int plumb_out_dir(void); // the same, opened again if the program closed it after all
const char *plumb_exe(void); // path of the program, as it was when the process began
int plumb_open_self(const char *name, int flags); // name begins with /proc/self; also after chroot
void plumb_spare(int use); // 1: makes a descriptor free for a check, 0: takes it back
extern int plumb_err_fd; // standard error as it was when the program began

// Functions that the runtime replaces: the next definition.
void *plumb_next(const char *name);

#endif
