// Lists through embedded links: every pointer in the list is an interior one.
// Taking an item out without freeing it loses it where the local ends.
//
// run: 0 => ~A=3/144
// run: 1 => A=1/48 ~A=2/96
#include <stddef.h>
#include <stdlib.h>

struct link { struct link *next, *prev; };
struct item { long id[4]; struct link link; };
#define ITEM(l) ((struct item *)((char *)(l) - offsetof(struct item, link)))

static struct link head = { &head, &head };

static void insert(struct link *l)
{
	l->next = head.next;
	l->prev = &head;
	head.next->prev = l;
	head.next = l;
}

static long take(void)
{
	struct link *l = head.next;
	l->prev->next = l->next;
	l->next->prev = l->prev;
	struct item *it = ITEM(l);
	return it->id[0]; // leak: A
}

int main(int argc, char **argv)
{
	for (int i = 0; i < 3; i++) {
		struct item *it = malloc(sizeof *it); // alloc: A
		it->id[0] = i;
		insert(&it->link);
	}
	if (argc > 1 && atoi(argv[1]))
		take();
	for (struct link *l = head.next; l != &head; l = l->next) // forgotten: A
		ITEM(l)->id[1] = 2;
	return 0;
}
