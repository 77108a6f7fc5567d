// Stand-ins for the thread side, replaced by the files beside when they are there.
#include "rt.h"

#define WEAK __attribute__((weak))

WEAK void plumb_stop_world(struct plumb_world *w) { (void)w; }
WEAK void plumb_start_world(struct plumb_world *w) { (void)w; }
WEAK void plumb_more_roots(void (*scan)(uintptr_t, uintptr_t)) { (void)scan; }
WEAK int plumb_sub_event(uintptr_t p, uint64_t event, int is_use) {
	(void)p, (void)event, (void)is_use;
	return 0;
}
WEAK EXPORT void plumb_block(void *p, uint64_t size, uint32_t site, uint32_t ctx) { (void)p, (void)size, (void)site, (void)ctx; }
WEAK EXPORT void plumb_unblock(void *p, uint32_t site, uint32_t ctx) { (void)p, (void)site, (void)ctx; }
WEAK EXPORT uint64_t plumb_valgrind(uint64_t otherwise, const uint64_t *args) {
	(void)args;
	return otherwise;
}
