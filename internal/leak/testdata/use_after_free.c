// Memory that is used after its release. Each bad_ function is one under AddressSanitizer, none of the ok_ functions is: see main.
// no-run: TestFreed runs it
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct item {
	char *name;
	int n;
	struct item *next;
};

extern int flag, other;

static void bad_store(void)
{
	struct item *it = calloc(1, sizeof *it); // alloc: store
	if (!it)
		return;
	free(it);
	it->n = 1; // use-after-free: store "memory allocated by calloc and held by 'it' is used here after its release"
}

static void list_free(struct item *head) // alloc: walk
{
	for (struct item *it = head; it; it = it->next) // use-after-free: walk
		free(it);
}

static void bad_list(void)
{
	struct item *it = calloc(1, sizeof *it);
	if (it)
		list_free(it);
}

static int length(const char *s) { return s ? (int)strlen(s) : 0; }

static void bad_passed(void)
{
	char *p = strdup("x"); // alloc: passed
	if (!p)
		return;
	free(p);
	printf("%d\n", length(p)); // use-after-free: passed
}

static void bad_library(void)
{
	char *p = strdup("x"); // alloc: library
	if (!p)
		return;
	free(p);
	puts(p); // use-after-free: library
}

static void item_free(struct item *it)
{
	if (!it)
		return;
	free(it->name);
	free(it);
}

static void bad_after_callee(void)
{
	struct item *it = calloc(1, sizeof *it); // alloc: after
	if (!it)
		return;
	item_free(it);
	printf("%d\n", it->n); // use-after-free: after
}

static void clear(struct item *it) { free(it->name); }

static void bad_field_after_callee(void)
{
	struct item it = {strdup("x"), 1, NULL}; // alloc: fieldafter
	if (!it.name)
		return;
	clear(&it);
	it.name[0] = 'y'; // use-after-free: fieldafter "held by 'it.name'"
}

static void bad_old_name(void)
{
	char *p = malloc(8); // alloc: oldname
	if (!p)
		return;
	char *q = realloc(p, 1000000);
	if (!q) {
		free(p);
		return;
	}
	p[0] = 'x'; // use-after-free: oldname
	free(q);
}

static void bad_interior(void)
{
	char *p = malloc(16); // alloc: interior
	if (!p)
		return;
	char *end = p + 8;
	free(p);
	*end = 0; // use-after-free: interior
}

static void bad_stream(void)
{
	FILE *f = fopen("/dev/null", "w"); // alloc: stream
	if (!f)
		return;
	fclose(f);
	fputs("x", f); // use-after-free: stream "stream opened by fopen"
}

static void ok_next_first(void)
{
	struct item *head = calloc(1, sizeof *head);
	if (head)
		head->next = calloc(1, sizeof *head);
	struct item *next;
	for (struct item *it = head; it; it = next) {
		next = it->next;
		free(it);
	}
}

// A freed pointer may be looked at as long as nobody looks behind it.
static void ok_only_the_pointer(void)
{
	char *p = malloc(8);
	free(p);
	printf("%p\n", (void *)p);
	if (p == NULL)
		puts("no memory");
}

static void ok_other_memory(void)
{
	struct item *it = calloc(1, sizeof *it);
	if (!it)
		return;
	it->name = strdup("x");
	free(it->name);
	it->name = strdup("y");
	if (it->name)
		it->name[0] = 'z';
	item_free(it);
}

static void refill(struct item *it) { it->name = strdup("y"); }

static void ok_refilled(void)
{
	struct item it = {strdup("x"), 1, NULL};
	free(it.name);
	refill(&it);
	if (it.name)
		puts(it.name);
	free(it.name);
}

static int consume(char *p, int n)
{
	if (n < 0)
		return -1;
	free(p);
	return 0;
}

static void ok_not_taken(void)
{
	char *p = strdup("x");
	if (!p)
		return;
	if (consume(p, flag) < 0) {
		puts(p);
		free(p);
	}
}

static void ok_realloc_moves(void)
{
	char *p = malloc(8);
	if (!p)
		return;
	char *q = realloc(p, 100);
	if (!q)
		q = p;
	q[0] = 'x';
	free(q);
}

struct counted {
	int refs, n;
};

static void drop(struct counted *c)
{
	if (--c->refs > 0)
		return;
	free(c);
}

static void ok_counted(void)
{
	struct counted *c = calloc(1, sizeof *c);
	if (!c)
		return;
	c->refs = 2;
	drop(c);
	c->n = 1;
	drop(c);
}

static void ok_flagged(void)
{
	char *p = strdup("x");
	int done = 0;
	if (!p)
		return;
	if (flag > 3) {
		free(p);
		done = 1;
	}
	if (!done) {
		puts(p);
		free(p);
	}
}

static void ok_conditional_callee(struct item *it, int all)
{
	free(it->name);
	if (all)
		free(it);
}

static void ok_kept(void)
{
	struct item it = {strdup("x"), 1, NULL};
	ok_conditional_callee(&it, 0);
	printf("%d\n", it.n);
}

// What is released is the end of it.
static void ok_trimmed(void)
{
	long page = sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return;
	munmap(p + page, 2 * page);
	p[0] = 'x';
	munmap(p, page);
}

// A function that prints it has looked at it, but which of many arguments it looks at is not known.
static void bad_printed(void)
{
	char *p = strdup("x"); // alloc: printed
	if (!p)
		return;
	free(p);
	printf("%s\n", p); // use-after-free-missed: printed
}

// One condition excludes the other in programs that are right, and here it does not.
static void bad_conditions(void)
{
	char *p = strdup("x"); // alloc: conditions
	if (!p)
		return;
	if (flag < 3)
		free(p);
	if (other > 2)
		puts(p); // use-after-free-missed: conditions
} // leak: conditions

int flag, other;

static void (*const all[])(void) = {
	bad_store, bad_list, bad_passed, bad_library, bad_after_callee, bad_field_after_callee, bad_old_name, bad_interior, bad_printed, bad_conditions, bad_stream, NULL,
	ok_next_first, ok_only_the_pointer, ok_other_memory, ok_refilled, ok_not_taken, ok_realloc_moves, ok_counted, ok_flagged, ok_kept, ok_trimmed,
};

// Runs one of them, by its number; those after the gap must go well.
int main(int argc, char **argv)
{
	unsigned i = argc > 1 ? atoi(argv[1]) : 0;
	flag = 0;
	other = 3;
	if (i < sizeof all / sizeof *all && all[i])
		all[i]();
	return 0;
}

// limit-missed: released, then printed; or released and used under conditions of which one may exclude the other
