// As idiom_fields_set_together.c, but one of the two fields is not set.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct chan { int fd, datagram; char *d; size_t n; char *(*filter)(struct chan *, char **, size_t *); };

static char *
tun_filter(struct chan *c, char **data, size_t *dlen)
{
	if ((*data = malloc(c->n + 1)) == NULL)
		abort();
	memcpy(*data, c->d, c->n);
	*dlen = c->n;
	return *data;
}

int
handle(struct chan *c)
{
	char *data = NULL, *p;
	size_t dlen;
	int len;

	if (c->filter != NULL) {
		if ((p = c->filter(c, &data, &dlen)) == NULL) // alloc: o0
			return -1;
	} else {
		p = c->d;
		dlen = c->n;
	}
	len = write(c->fd, p, dlen);
	if (c->datagram)
		free(data);
	return len; // leak: o0
}

void
make_tun(struct chan *c)
{
	c->filter = tun_filter;
}

int
main(void)
{
	struct chan c = { 1, 0, "abc\n", 4, NULL };

	handle(&c);
	make_tun(&c);
	return handle(&c) == 4 ? 0 : 1;
}
