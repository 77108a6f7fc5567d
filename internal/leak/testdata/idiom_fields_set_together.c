// Clean. Two fields are set together: a filter comes with datagram = 1, and what
// a filter allocates is freed with datagram.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct chan { int fd, datagram; char *d; size_t n; char *(*filter)(struct chan *, char **, size_t *); };

static char *copying(struct chan *c, char **data, size_t *len)
{
	if ((*data = malloc(c->n + 1)) == NULL)
		abort();
	memcpy(*data, c->d, c->n);
	*len = c->n;
	return *data;
}

int handle(struct chan *c)
{
	char *data = NULL, *p;
	size_t len;
	int n;

	if (c->filter != NULL) {
		if ((p = c->filter(c, &data, &len)) == NULL) // alloc: o0
			return -1;
	} else {
		p = c->d;
		len = c->n;
	}
	n = write(c->fd, p, len);
	if (c->datagram)
		free(data);
	return n; // leak-false: o0
}

void make_datagram(struct chan *c)
{
	c->datagram = 1;
	c->filter = copying;
}

int main(void)
{
	struct chan c = { 1, 0, "abc\n", 4, NULL };

	handle(&c);
	make_datagram(&c);
	return handle(&c) == 4 ? 0 : 1;
}
// limit-false: two fields are always set together, and one says whether there is something to free
