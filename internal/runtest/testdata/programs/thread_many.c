// Eight threads allocate and lose at once: the totals have to be exact.
//
// run: => A=1592/50944 B=800/6400
#include <pthread.h>
#include <stdlib.h>

struct node { struct node *next; long v[3]; };

static void *work(void *arg)
{
	struct node *last = NULL;
	for (int i = 0; i < 300; i++) {
		struct node *n = malloc(sizeof *n); // alloc: A
		n->next = NULL;
		n->v[0] = i;
		if (i % 3 == 0)
			free(n);
		else
			last = n; // leak: A
		char *s = malloc(8); // alloc: B
		s[0] = 1;
		if (i % 3 == 0)
			continue; // leak: B
		free(s);
	}
	free(last);
	last = malloc(sizeof *last);
	free(last);
	(void)arg;
	return NULL;
}

int main(void)
{
	pthread_t t[8];
	for (int i = 0; i < 8; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 8; i++)
		pthread_join(t[i], NULL);
	return 0;
}
