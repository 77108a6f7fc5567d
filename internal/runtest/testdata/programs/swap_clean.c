// Pointers change places through temporaries, by value, in arrays and by exclusive or.
//
// run: =>
#include <stdint.h>
#include <stdlib.h>

struct pair { char *a, *b; };

static void swap(char **x, char **y)
{
	char *t = *x;
	*x = *y;
	*y = t;
}

static struct pair flip(struct pair p)
{
	return (struct pair){ p.b, p.a };
}

int main(void)
{
	char *v[4];
	for (int i = 0; i < 4; i++)
		v[i] = malloc(i + 1);
	swap(&v[0], &v[3]);
	swap(&v[1], &v[1]);
	struct pair p = flip((struct pair){ v[1], v[2] });
	v[1] = p.a;
	v[2] = p.b;
	uintptr_t x = (uintptr_t)v[0], y = (uintptr_t)v[1];
	v[0] = v[1] = NULL;
	x ^= y;
	y ^= x;
	x ^= y;
	free((char *)x);
	free((char *)y);
	free(v[2]);
	free(v[3]);
	return 0;
}
