// Small blocks: size classes by address, thread caches, central lists.
//
// A slot's class is in its address and its index a multiplication away, so an
// event finds what is known of a block without touching the block. Lists of
// free slots go through meta.alloc. A block is all zero when it is given out: old
// words in it would look like pointers to the marker and to instrumented stores.
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "alloc.h"
#include "subblocks.h"

struct plumb_class plumb_classes[128];
uint8_t plumb_class_by_16[67], plumb_class_by_64[898];

// Above 544 bytes: in cache lines. Odd counts, as slots of 1 KiB multiples all
// fall into the same few sets of the cache; a power of two is asked for most,
// so the line after one ends a class.
static const uint16_t lines[40] = {9,   11,  13,  15,  17,  19,  21,  23,  25,  27,  29,  31,  33,  37,
                                   41,  45,  49,  53,  57,  61,  65,  73,  81,  89,  97,  105, 113, 121,
                                   129, 161, 193, 225, 257, 321, 385, 449, 513, 641, 769, 897};

static struct central {
	struct plumb_lock lock;
	uint32_t head, count;
	uint32_t committed; // slots whose memory may be touched
} centrals[NCLASSES];

static struct plumb_thread nobody; // all bins empty and full at once: every path is the slow one
_Thread_local struct plumb_thread *plumb_self TLS_FAST = &nobody;

static struct plumb_lock threads_lock;
#define MAX_THREADS 65536
static struct plumb_thread **threads; // [MAX_THREADS], in the tables
static uint32_t nthreads;             // entries of threads
static uint32_t nalive;

static struct plumb_lock init_lock;
static int init_done;

static void size_classes(void) {
	uint32_t c = 0;
	for (uint32_t s = 32; s <= 272; s += 16) plumb_classes[c++].size = s;
	for (uint32_t s = 304; s <= 496; s += 32) plumb_classes[c++].size = s;
	plumb_classes[c++].size = 544;
	for (uint32_t i = 0; i < 40; i++) plumb_classes[c++].size = lines[i] * 64;
	for (uint32_t i = 0; i < NCLASSES; i++) plumb_classes[i].inverse = UINT64_MAX / plumb_classes[i].size + 1;
	c = 0;
	for (uint32_t i = 0; i < sizeof plumb_class_by_16; i++) {
		while (plumb_classes[c].size < i * 16) c++;
		plumb_class_by_16[i] = c;
	}
	c = 0;
	for (uint32_t i = 0; i < sizeof plumb_class_by_64; i++) {
		while (plumb_classes[c].size < i * 64) c++;
		plumb_class_by_64[i] = c;
	}
}

void plumb_init(void) {
	if (likely(__atomic_load_n(&init_done, __ATOMIC_ACQUIRE))) return;
	plumb_lock(&init_lock);
	if (!init_done) {
		plumb_read_options();
		size_classes();
		if (plumb_reserve() != 0) {
			plumb_fallback = 1;
			plumb_say("cannot reserve address space (is there a limit, ulimit -v?): this process is not checked");
		} else {
			threads = plumb_own(MAX_THREADS * sizeof *threads);
			plumb_large_init();
			plumb_context_init();
		}
		plumb_mixed = plumb_opt.only || plumb_fallback;
		__atomic_store_n(&init_done, 1, __ATOMIC_RELEASE);
	}
	plumb_unlock(&init_lock);
}

// How many released slots rest: about 16 KiB of them. A power of two.
static uint32_t resting(uint32_t c) {
	uint32_t n = RESTING;
	while (n > 1 && n * plumb_classes[c].size > 16 << 10) n /= 2;
	return n;
}

// The calling thread's cache, made on first use. Stays &nobody after
// plumb_thread_end: libc frees a few things of a thread later than that.
static _Thread_local uint8_t ended TLS_FAST;

static struct plumb_thread *self(void) {
	if (likely(plumb_self != &nobody)) return plumb_self;
	plumb_init();
	if (ended || plumb_fallback) return 0;
	plumb_lock(&threads_lock);
	struct plumb_thread *t = 0;
	for (uint32_t i = 0; i < nthreads && !t; i++)
		if (!threads[i]->used) t = threads[i];
	if (!t && nthreads < MAX_THREADS && (t = plumb_own(sizeof *t))) threads[nthreads++] = t;
	if (t) {
		for (uint32_t c = 0; c < NCLASSES; c++) t->bins[c].mask = resting(c) - 1;
		t->used = 1;
		nalive++;
		plumb_self = t;
	}
	plumb_unlock(&threads_lock);
	return t;
}

struct plumb_thread *plumb_thread(void) { return self(); }

// How many slots a thread may keep: enough to make the central list rare.
static uint32_t keep(uint32_t c) {
	uint32_t n = (128 << 10) / plumb_classes[c].size;
	return n < 8 ? 8 : n > 1024 ? 1024 : n;
}

// Takes fresh slots for a cache: at least one, about 16 KiB.
static int fresh(uint32_t c, uint32_t *from, uint32_t *to) {
	struct central *z = &centrals[c];
	struct plumb_class *k = &plumb_classes[c];
	uint32_t want = (16 << 10) / k->size;
	if (want == 0) want = 1;
	uint32_t at = k->limit ? k->limit : 1; // index 0 means none
	uint64_t max = CLASS_SPAN / k->size - 1;
	if (at + (uint64_t)want > max) {
		errno = ENOMEM;
		return -1;
	}
	if (at + want > z->committed) {
		// Grow by an eighth, from 64 KiB: few calls, few pages that huge-page settings could fill.
		uint64_t more = z->committed / 8, least = (64 << 10) / k->size + 1;
		if (more < least) more = least;
		if (more < want) more = want;
		uint64_t to_slot = at + more > max ? max : at + more;
		if (plumb_commit(plumb_slot_at(c, z->committed), plumb_slot_at(c, to_slot)) != 0) {
			errno = ENOMEM;
			return -1;
		}
		z->committed = to_slot;
	}
	*from = at;
	*to = at + want;
	__atomic_store_n(&k->limit, at + want, __ATOMIC_RELEASE);
	return 0;
}

static void put_central(struct central *z, uint32_t c, uint32_t index) {
	plumb_meta_at(c, index)->alloc = z->head;
	z->head = index;
	z->count++;
}

// A slot when the thread's cache has none: from the central list, else fresh. 0 if out of memory.
NOINLINE uint32_t plumb_refill(uint32_t c) {
	struct plumb_thread *t = self();
	struct central *z = &centrals[c];
	uint32_t index = 0;
	plumb_lock(&z->lock);
	if (z->head) {
		index = z->head;
		struct plumb_meta *last = plumb_meta_at(c, index);
		z->head = last->alloc;
		z->count--;
		if (t) {
			// The rest of a batch: the list's next, in order.
			uint32_t n = keep(c) / 2, first = z->head, end = 0, got = 0;
			for (; got < n && z->head; got++) {
				end = z->head;
				z->head = plumb_meta_at(c, end)->alloc;
			}
			if (got) {
				plumb_meta_at(c, end)->alloc = 0;
				t->bins[c].head = first;
				t->bins[c].room = keep(c) - got;
				z->count -= got;
			}
		}
	} else {
		uint32_t from, to;
		if (fresh(c, &from, &to) == 0) {
			index = from;
			if (t) {
				t->bins[c].next = from + 1;
				t->bins[c].end = to;
				if (!t->bins[c].room) t->bins[c].room = keep(c);
			} else {
				for (uint32_t i = to - 1; i > from; i--) put_central(z, c, i);
			}
		}
	}
	plumb_unlock(&z->lock);
	return index;
}

// A free slot when the thread's cache has no room: half of the cache goes to the
// central list. A thread that is alone keeps what it has.
NOINLINE void plumb_spill(uint32_t c, uint32_t index) {
	struct plumb_thread *t = self();
	struct central *z = &centrals[c];
	if (!t) {
		plumb_lock(&z->lock);
		put_central(z, c, index);
		plumb_unlock(&z->lock);
		return;
	}
	struct plumb_bin *b = &t->bins[c];
	if (__atomic_load_n(&nalive, __ATOMIC_RELAXED) > 1 && b->head) {
		uint32_t n = keep(c) / 2, first = b->head, last = first, got = 1;
		while (got < n && plumb_meta_at(c, last)->alloc) {
			last = plumb_meta_at(c, last)->alloc;
			got++;
		}
		b->head = plumb_meta_at(c, last)->alloc;
		plumb_lock(&z->lock);
		plumb_meta_at(c, last)->alloc = z->head;
		z->head = first;
		z->count += got;
		plumb_unlock(&z->lock);
	}
	b->room += keep(c) / 2;
	plumb_keep_slot(b, c, index);
}

static void give_back(struct plumb_thread *t) {
	for (uint32_t c = 0; c < NCLASSES; c++) {
		struct plumb_bin *b = &t->bins[c];
		struct central *z = &centrals[c];
		if (!b->head && !b->turn && b->next == b->end) {
			b->room = 0;
			continue;
		}
		plumb_lock(&z->lock);
		for (uint32_t i = b->head, next; i; i = next) {
			next = plumb_meta_at(c, i)->alloc;
			put_central(z, c, i);
		}
		for (uint32_t i = 0; i <= b->mask; i++)
			if (b->resting[i]) put_central(z, c, b->resting[i]);
		for (uint32_t i = b->end; i > b->next; i--) put_central(z, c, i - 1);
		plumb_unlock(&z->lock);
		memset(b, 0, sizeof *b);
	}
	t->epoch += 1 << 16;
	t->used = 0;
}

void plumb_thread_end(void) {
	struct plumb_thread *t = plumb_self;
	ended = 1;
	if (t == &nobody) return;
	plumb_self = &nobody;
	plumb_lock(&threads_lock);
	give_back(t);
	nalive--;
	plumb_unlock(&threads_lock);
}

void plumb_forget_threads(void) {
	plumb_lock(&threads_lock);
	for (uint32_t i = 0; i < nthreads; i++)
		if (threads[i]->used && threads[i] != plumb_self) {
			give_back(threads[i]);
			nalive--;
		}
	plumb_unlock(&threads_lock);
}

static void all_locks(void (*f)(struct plumb_lock *)) {
	f(&init_lock);
	f(&threads_lock);
	for (uint32_t c = 0; c < NCLASSES; c++) f(&centrals[c].lock);
}

static void reset(struct plumb_lock *l) {
	l->state = 0;
	plumb_held--;
}

void plumb_lock_all(void) {
	plumb_lock_code();
	all_locks(plumb_lock);
	plumb_lock_large();
	plumb_lock_subs();
	plumb_lock_maps();
	plumb_lock_own();
}

void plumb_unlock_all(void) {
	plumb_unlock_own();
	plumb_unlock_maps();
	plumb_unlock_subs();
	plumb_unlock_large();
	all_locks(plumb_unlock);
	plumb_unlock_code();
}

void plumb_reset_locks(void) {
	plumb_unlock_own();
	plumb_unlock_maps();
	plumb_unlock_subs();
	plumb_unlock_large();
	all_locks(reset);
	plumb_unlock_code();
}

int plumb_find(uintptr_t p, struct plumb_ref *out) {
	if (!plumb_in_heap(p)) return 0;
	uint32_t c = p >> CLASS_SHIFT & 127;
	if (c >= NCLASSES) return plumb_find_large(p, out);
	uint32_t index = plumb_index(p, c);
	if (index >= plumb_classes[c].limit) return 0;
	struct plumb_meta *m = plumb_meta_at(c, index);
	if (!(m->info & META_LIVE)) return 0;
	uintptr_t slot = plumb_slot_at(c, index);
	uint32_t offset = (m->info >> OFFSET_SHIFT & OFFSET_MASK) * 16;
	// The program wrote beyond the block before: nothing is known of this one.
	if (unlikely(offset + (m->info & SLACK_MASK) > plumb_classes[c].size || !offset)) return 0;
	out->meta = m;
	out->start = slot + offset;
	out->size = plumb_classes[c].size - offset - (m->info & SLACK_MASK);
	out->use = plumb_use_at(c, index);
	return 1;
}
