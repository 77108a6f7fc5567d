// A chained hash table that grows, replaces, removes and is destroyed.
//
// run: =>
#include <stdlib.h>
#include <string.h>

struct entry { struct entry *next; char *key, *value; };
struct table { struct entry **bucket; unsigned nbucket, n; };

static unsigned hash(const char *s)
{
	unsigned h = 5381;
	while (*s)
		h = h * 33 ^ (unsigned char)*s++;
	return h;
}

static void grow(struct table *t)
{
	struct table u = { calloc(t->nbucket * 2, sizeof *u.bucket), t->nbucket * 2, t->n };
	for (unsigned i = 0; i < t->nbucket; i++)
		for (struct entry *e = t->bucket[i], *next; e; e = next) {
			struct entry **to = &u.bucket[hash(e->key) % u.nbucket];
			next = e->next;
			e->next = *to;
			*to = e;
		}
	free(t->bucket);
	*t = u;
}

static void set(struct table *t, const char *key, const char *value)
{
	for (struct entry *e = t->bucket[hash(key) % t->nbucket]; e; e = e->next)
		if (!strcmp(e->key, key)) {
			free(e->value);
			e->value = strdup(value);
			return;
		}
	if (t->n++ > t->nbucket)
		grow(t);
	struct entry *e = malloc(sizeof *e), **to = &t->bucket[hash(key) % t->nbucket];
	e->key = strdup(key);
	e->value = strdup(value);
	e->next = *to;
	*to = e;
}

static void unset(struct table *t, const char *key)
{
	for (struct entry **at = &t->bucket[hash(key) % t->nbucket]; *at; at = &(*at)->next)
		if (!strcmp((*at)->key, key)) {
			struct entry *e = *at;
			*at = e->next;
			free(e->key);
			free(e->value);
			free(e);
			return;
		}
}

int main(void)
{
	struct table t = { calloc(4, sizeof *t.bucket), 4, 0 };
	char key[3] = "aa";
	for (int i = 0; i < 60; i++) {
		key[0] = (char)('a' + i % 26);
		key[1] = (char)('a' + i / 26);
		set(&t, key, "value");
	}
	set(&t, "ab", "another");
	unset(&t, "bb");
	for (unsigned i = 0; i < t.nbucket; i++)
		while (t.bucket[i]) {
			key[0] = t.bucket[i]->key[0];
			key[1] = t.bucket[i]->key[1];
			unset(&t, key);
		}
	free(t.bucket);
	return 0;
}
