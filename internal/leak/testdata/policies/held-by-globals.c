// A global holds memory until the process ends.
#include <stdlib.h>
#include <string.h>

static char *banner;
static char *cached;
static char *swapped;

void set_banner(void) {
	banner = strdup("hello"); // alloc: banner; leak@leak: banner "held by 'banner' is never released"
}

size_t show_banner(void) { return banner ? strlen(banner) : 0; }

// What is released by anyone is none.
void set_cached(void) { cached = strdup("cache"); }

void clear_cached(void) {
	free(cached);
	cached = NULL;
}

// Nor is what someone takes out again.
void set_swapped(void) { swapped = malloc(4); }

char *take_swapped(void) {
	char *p = swapped;
	swapped = NULL;
	return p;
}

// Nor what the function releases itself.
static char *scratch;

void use_scratch(void) {
	char *p = malloc(16);
	scratch = p;
	show_banner();
	scratch = NULL;
	free(p);
}

int main(void) {
	set_banner();
	set_cached();
	clear_cached();
	set_swapped();
	free(take_swapped());
	use_scratch();
	return 0;
}
