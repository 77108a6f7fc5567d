// A local that was loaded from memory is the last to hold the block only if that
// slot has changed since: by a callee, by a release of what holds the slot, and
// for a pointer into the block. A function that only looks changes nothing, but
// returns what it was given.
//
// run: => A=1/21 B=1/22 C=1/23 D=1/24 E=1/25
// known@O0,O1,O2,O3: A that a callee releases the memory which the local was loaded from is not seen
// known@O0,O1,O2,O3: C that a callee releases the memory which the local was loaded from is not seen
#include <stdlib.h>
#include <string.h>

struct item { struct item *next; char *text; };
struct list { struct item *head; };

static struct list all;

static void push(struct list *l, char *text)
{
	struct item *i = malloc(sizeof *i);
	i->text = text;
	i->next = l->head;
	l->head = i;
}

static void pop(struct list *l)
{
	struct item *i = l->head;
	l->head = i->next;
	free(i);
}

static size_t length(const char *s) { return strlen(s); }
static char *same(char *s) { return s; }

static size_t taken_by_callee(struct list *l)
{
	char *text = l->head->text;
	size_t n = length(text);
	pop(l);
	return n; // leak: A
}

static size_t inside(struct list *l)
{
	char *end = l->head->text + 3;
	pop(l);
	size_t n = length(end);
	return n; // leak: B
}

static size_t kept(struct list *l)
{
	char *text = l->head->text;
	push(l, 0);
	pop(l);
	return length(text);
}

static void overwritten(struct list *l)
{
	char *text = l->head->text;
	pop(l);
	text = 0; // leak: C
	push(l, text);
}

static size_t given(void)
{
	char *own = same(calloc(24, 1)); // alloc: D
	size_t n = length(own);
	return n; // leak: D
}

int main(void)
{
	struct list *heap = calloc(1, sizeof *heap);
	push(heap, calloc(25, 1)); // alloc: E
	push(&all, calloc(23, 1)); // alloc: C
	push(heap, calloc(22, 1)); // alloc: B
	push(heap, calloc(21, 1)); // alloc: A
	size_t n = kept(heap) + taken_by_callee(heap) + inside(heap) + given();
	overwritten(&all);
	n += kept(heap);
	heap->head->text = 0; // leak: E
	pop(heap);
	pop(&all);
	free(heap);
	return n != 0;
}
