/* Threads and recursive calls that share a site; some objects are released by
   another file, some by nobody but the guard, some pointers are no objects at all. */
#include "plumb_guard.h"
#include "shared.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

PLUMB_GUARD_SITE(work_buffer);
PLUMB_GUARD_SITE(work_list);

static char constant[] = "constant";

/* work checks that nobody releases its object while the calls below are active. */
static unsigned work(unsigned seed, int depth, char *outer)
{
	PLUMB_GUARD_CALL(work_buffer);
	PLUMB_GUARD_CALL(work_list);
	char *p = constant, *list = NULL;
	size_t n = 16 + seed % 200, i;
	unsigned sum = 0, gone = 0;
	int rounds = (int)(seed % 40);
	if (seed % 5 == 1)
		p = outer; /* an object of another call: not ours to release */
	else if (seed % 5 != 0) {
		p = (char *)plumb_guard_add(work_buffer, malloc(n));
		memset(p, (int)(seed % 100), n);
	}
	while (rounds-- > 0) { /* all but the last lose their only pointer */
		list = (char *)plumb_guard_add(work_list, malloc(8));
		memset(list, 1, 8);
	}
	if (depth > 0)
		sum += work(seed * 7 + 3, depth - 1, p) + work(seed * 5 + 1, depth - 1, p);
	if (p != constant && p != outer) {
		for (i = 0; i < n; i++)
			if (p[i] != (char)(seed % 100)) {
				printf("an object was overwritten\n");
				abort();
			}
		if (seed % 7 == 2)
			p = (char *)plumb_guard_add(work_buffer, grow(p, n * 3));
		release_some(p, seed);
		gone = seed % 3 == 0;
	}
	sum += gone ? 1U : (unsigned)(unsigned char)p[0];
	if (list != NULL && seed % 2)
		free(plumb_guard_remove(work_list, list));
	plumb_guard_fix(work_list, free);
	if (plumb_guard_take(work_buffer, p))
		free(p);
	return sum;
}

static void *thread(void *arg)
{
	unsigned seed = (unsigned)(size_t)arg, i, sum = 0;
	for (i = 0; i < ROUNDS; i++)
		sum += work(seed + i * 31, 4, constant);
	return (void *)(size_t)sum;
}

int main(void)
{
	pthread_t t[8];
	size_t i;
	for (i = 0; i < 8; i++)
		if (pthread_create(&t[i], NULL, thread, (void *)(i * 1000)) != 0)
			return 2;
	for (i = 0; i < 8; i++)
		pthread_join(t[i], NULL);
	if (work_buffer->size != 0 || work_list->size != 0 || work_buffer->off || work_list->off) {
		printf("left: %lu %lu\n", (unsigned long)work_buffer->size, (unsigned long)work_list->size);
		return 1;
	}
	return 0;
}
