// Events from instrumented code: one store each, into what is known of the block.
//
// These functions keep all registers of their callers (preserve_most) and their
// common path calls nothing, so that the code around a hook stays as it was.
#include "drop.h"

#define HOOK EXPORT __attribute__((preserve_most))

static int use_failed;

NOINLINE __attribute__((preserve_most)) void plumb_large_event(uintptr_t p, uint64_t event, int is_use) {
	if (p < LARGE_BASE || (plumb_have_subs && plumb_sub_event(p, event, is_use))) return;
	struct plumb_large *l = plumb_large_of(p);
	if (!l) return;
	if (is_use) l->use = event;
	else l->meta.lost = event;
}

NOINLINE __attribute__((preserve_most)) void plumb_maybe_sub_event(uintptr_t p, uint64_t event, struct plumb_meta *m) {
	if (!plumb_sub_event(p, event, 0)) m->lost = event;
}

NOINLINE __attribute__((preserve_most)) void plumb_drop_hits(const __m128i *w0, const __m128i *w1, const __m128i *w2, const __m128i *w3,
                                                             uint64_t event) {
	__m128i low = _mm_packs_epi32(plumb_hits(w0), plumb_hits(w1)), high = _mm_packs_epi32(plumb_hits(w2), plumb_hits(w3));
	uint32_t hits = _mm_movemask_epi8(_mm_packs_epi16(low, high)); // bits 0 and 2 of each four
	while (hits) {
		uint32_t i = __builtin_ctz(hits);
		const __m128i *w = i < 8 ? (i < 4 ? w0 : w1) : i < 12 ? w2 : w3;
		plumb_drop_at(((const uintptr_t *)w)[i >> 1 & 1], event);
		hits &= hits - 1;
	}
}

// plumb_drop by hand: the compiler saves seven registers where three do, and this
// is the hook that programs spend their time in. Site and context are stored one
// after the other; two threads that let go of one block at the same instant may
// mix them.
_Static_assert(offsetof(struct plumb_class, inverse) == 0 && offsetof(struct plumb_class, limit) == 8 && offsetof(struct plumb_class, size) == 12 &&
                   sizeof(struct plumb_class) == 16 && offsetof(struct plumb_meta, lost) == 8 && HEADER == 16 && CLASS_SHIFT == 35,
               "plumb_drop");
__attribute__((preserve_most, used)) void plumb_drop_slow(void *old, uint32_t site, uint32_t ctx) {
	plumb_drop_at((uintptr_t)old, plumb_event(site, ctx));
}
__asm__(".text\n.p2align 4\n.globl plumb_drop\n.type plumb_drop,@function\nplumb_drop:\n.cfi_startproc\n"
        "push %rax\n.cfi_adjust_cfa_offset 8\n"
        "push %rdx\n.cfi_adjust_cfa_offset 8\n"
        "push %rcx\n.cfi_adjust_cfa_offset 8\n"
        "movabs $0x7ffffffff, %rax\n"
        "mov %rdi, %r11\n"
        "lea -16(%rdi), %rcx\n" // by what lies a header in front: plumb_index
        "and %rcx, %rax\n"      // offset in the class
        "shr $35, %r11\n"
        "and $127, %r11d\n"
        "shl $4, %r11d\n"
        "lea plumb_classes(%rip), %rcx\n"
        "add %rcx, %r11\n"
        "mulq (%r11)\n" // rdx: index
        "cmp %edx, 8(%r11)\n"
        "jbe 1f\n"
        "cmpl $0, plumb_have_subs(%rip)\n"
        "jne 1f\n"
        "mov 12(%r11), %eax\n"
        "mov %rdi, %rcx\n"
        "imul %rax, %rdx\n" // offset of the slot
        "shr $35, %rcx\n"
        "shl $35, %rcx\n" // start of the class
        "mov 8(%rsp), %eax\n" // ctx
        "mov %esi, 8(%rcx,%rdx)\n"
        "mov %eax, 12(%rcx,%rdx)\n"
        "pop %rcx\n.cfi_adjust_cfa_offset -8\n"
        "pop %rdx\n.cfi_adjust_cfa_offset -8\n"
        "pop %rax\n.cfi_adjust_cfa_offset -8\n"
        "ret\n"
        "1: .cfi_adjust_cfa_offset 24\n"
        "pop %rcx\n.cfi_adjust_cfa_offset -8\n"
        "pop %rdx\n.cfi_adjust_cfa_offset -8\n"
        "pop %rax\n.cfi_adjust_cfa_offset -8\n"
        "jmp plumb_drop_slow\n.cfi_endproc\n.size plumb_drop,.-plumb_drop\n");

static inline void drop_few(const uintptr_t *w, const uintptr_t *end, uint64_t event) {
	for (; w < end; w++)
		if (unlikely(plumb_in_heap(*w))) plumb_drop_at(*w, event);
}

// Short stretches are structs, with pointers among their words; long ones are mostly
// buffers without any.
static inline void drop_words(const uintptr_t *w, const uintptr_t *end, uint64_t event) {
	if (end <= w + 16) {
		drop_few(w, end, event);
		return;
	}
	const uintptr_t *lo = (const uintptr_t *)(((uintptr_t)w + 15) & ~15ul), *hi = (const uintptr_t *)((uintptr_t)end & ~15ul);
	drop_few(w, lo, event);
	plumb_drop_vectors((const __m128i *)lo, (hi - lo) / 2, event);
	drop_few(hi, end, event);
}

HOOK void plumb_drop_words(const void *memory, uint64_t bytes, uint32_t site, uint32_t ctx) {
	uintptr_t lo = ((uintptr_t)memory + 7) & ~7ul, hi = ((uintptr_t)memory + bytes) & ~7ul;
	drop_words((const uintptr_t *)lo, (const uintptr_t *)hi, plumb_event(site, ctx));
}

HOOK void plumb_drop_untyped(const void *memory, uint64_t bytes, uint32_t site, uint32_t ctx) {
	// Frames above this one, of a stack of the usual size.
	if ((uintptr_t)memory - (uintptr_t)__builtin_frame_address(0) < 16 << 20) return;
	plumb_drop_words(memory, bytes, site, ctx);
}

void plumb_scan_free(uintptr_t lo, size_t bytes, uint64_t event) {
	drop_words((const uintptr_t *)lo, (const uintptr_t *)(lo + (bytes & ~7ul)), event);
}

// The array of last uses is made at the first one: programs without pay nothing.
static NOINLINE __attribute__((preserve_most)) void begin_uses(void) {
	plumb_init();
	if (plumb_fallback || plumb_commit(USE_BASE, USE_BASE + ((uintptr_t)NCLASSES << (CLASS_SHIFT - 1))) != 0) {
		use_failed = 1;
		return;
	}
	plumb_extra = 1;
	__atomic_store_n(&plumb_uses, 1, __ATOMIC_RELEASE);
}

HOOK void plumb_use(const void *at, uint32_t site, uint32_t ctx) {
	if (unlikely(!plumb_uses)) {
		if (use_failed) return;
		begin_uses();
		if (!plumb_uses) return;
	}
	uintptr_t p = (uintptr_t)at;
	uint64_t event = plumb_event(site, ctx);
	uint32_t c = p >> CLASS_SHIFT & 127, i = plumb_index(p, c);
	if (unlikely(i >= plumb_classes[c].limit)) plumb_large_event(p, event, 1);
	else if (likely(!plumb_have_subs) || !plumb_sub_event(p, event, 1)) *plumb_use_at(c, i) = event;
}
