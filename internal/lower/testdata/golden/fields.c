// Fields, constant addresses, loops, scopes, early returns.
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);
char *strdup(const char *);

struct mem { void *(*alloc)(size_t); void (*release)(void *); };
struct cfg { int id; char *name; struct mem m; struct { int a, b; } pos[4]; };
static struct cfg global = {1, "x", {malloc, free}};

int parse(const char *s, struct cfg *c, int n) {
	char *buf = malloc(16);
	if (!buf) return -1;
	if (s[0] == 'b') return 1;
	for (int i = 0; i < n; i++) {
		char *tmp = strdup(s + i);
		c->name = tmp;
		c->pos[i].b = i;
	}
	buf = global.m.alloc(3);
	global.m.release(buf);
	return 0;
}
