// LeakPoint's second example from a web server: a request with a header twice is
// turned down, and the header just read is in no list yet.
//
// run: a:1,b:2 =>
// run: a:1,a:2 => H=1/24 V=1/8
#include <stdlib.h>
#include <string.h>

struct header { char key; char *value; struct header *next; };
struct request { struct header *headers; int status; };

static struct header *header_new(void)
{
	struct header *h = calloc(1, sizeof *h); // alloc: H
	return h;
}

static int parse(struct request *r, const char *s)
{
	for (; *s; s += *s == ',') {
		struct header *h = header_new();
		h->key = *s;
		h->value = malloc(8); // alloc: V
		h->value[0] = s[2];
		s += 3;
		for (struct header *o = r->headers; o; o = o->next)
			if (o->key == h->key) {
				r->status = 400;
				return 0; // leak: H; leak: V
			}
		h->next = r->headers;
		r->headers = h;
	}
	return 1;
}

static void request_free(struct request *r)
{
	while (r->headers) {
		struct header *h = r->headers;
		r->headers = h->next;
		free(h->value);
		free(h);
	}
}

int main(int argc, char **argv)
{
	struct request r = { 0 };
	parse(&r, argc > 1 ? argv[1] : "");
	request_free(&r);
	return 0;
}
