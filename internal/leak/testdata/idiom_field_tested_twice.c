// Clean. A field that is tested twice is the same, though another branch calls a function with it.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct chan { int fd, datagram, filter; char *d; };

static void
adjust(struct chan *c)
{
	c->fd = 1;
}
static int get(char *b, char **valp) { return (*valp = strdup(b)) ? 0 : -1; }

int
handle(struct chan *c)
{
	char *p, *data = NULL;
	int n;

	if (c->filter) {
		adjust(c);
		p = c->d;
	} else if (c->datagram) {
		if (get(c->d, &data) != 0)
			abort();
		p = data;
	} else {
		p = c->d;
	}
	if (c->datagram) {
		n = write(c->fd, p, 1);
		free(data);
		return n;
	}
	return write(c->fd, p, 1);
}

int
main(void)
{
	struct chan c = { 1, 1, 0, "abc" };

	return handle(&c) == 1 ? 0 : 1;
}
