// What an earlier frame left in a struct's other words is no pointer that goes
// away when the struct is copied over.
// run: => A=1/6 B=1/2
#include <stdlib.h>
#include <string.h>

struct text {
	char *data;
	size_t len, cap;
};

static int keep(int n)
{
	char *last = NULL;
	while (n-- > 0) {
		char *s = malloc(6); // alloc: A
		s[0] = 0;
		if (n == 2) {
			last = s;
			continue;
		}
		free(s);
	}
	return last != NULL; // leak: A
}

static struct text copy(struct text t)
{
	t.data = strdup(t.data); // alloc: B
	return t;
}

static int swap(void)
{
	struct text x = {strdup("q"), 1, 1};
	struct text y = copy(x);
	y = copy(x); // leak: B
	int ok = y.data[0] == 'q';
	free(y.data);
	free(x.data);
	return ok;
}

int main(void)
{
	return !(keep(4) && swap());
}
