// Allocation-heavy: a store of text records with expiry. Every step makes and
// releases a few small blocks of mixed size; about 60,000 records are alive.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1 << 15, KEEP = 60000, STEPS = 2200000 };

struct field {
	struct field *next;
	char *text;
};

struct record {
	struct record *chain;
	unsigned key;
	size_t used, room;
	char *body;
	struct field *fields;
};

static struct record *table[BUCKETS];
static unsigned state = 12345;

static unsigned roll(void) {
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state;
}

static char *copy(const char *text, size_t length) {
	char *p = malloc(length + 1);
	if (!p)
		abort();
	memcpy(p, text, length);
	p[length] = 0;
	return p;
}

static void append(struct record *r, const char *text, size_t length) {
	while (r->used + length + 1 > r->room) {
		r->room = r->room ? r->room * 2 : 24;
		char *body = realloc(r->body, r->room);
		if (!body)
			abort();
		r->body = body;
	}
	memcpy(r->body + r->used, text, length);
	r->used += length;
	r->body[r->used] = 0;
}

static struct record *insert(unsigned key) {
	struct record *r = calloc(1, sizeof *r);
	if (!r)
		abort();
	r->key = key;
	r->chain = table[key % BUCKETS];
	table[key % BUCKETS] = r;
	char text[32];
	for (unsigned n = key % 3 + 1; n; n--) {
		struct field *f = malloc(sizeof *f);
		if (!f)
			abort();
		int length = snprintf(text, sizeof text, "field-%u-%x", n, key);
		f->text = copy(text, length);
		f->next = r->fields;
		r->fields = f;
		append(r, f->text, length);
	}
	return r;
}

static struct record *find(unsigned key) {
	for (struct record *r = table[key % BUCKETS]; r; r = r->chain)
		if (r->key == key)
			return r;
	return NULL;
}

static size_t drop(unsigned key) {
	for (struct record **at = &table[key % BUCKETS]; *at; at = &(*at)->chain) {
		struct record *r = *at;
		if (r->key != key)
			continue;
		*at = r->chain;
		size_t sum = r->used;
		while (r->fields) {
			struct field *next = r->fields->next;
			sum += strlen(r->fields->text);
			free(r->fields->text);
			free(r->fields);
			r->fields = next;
		}
		free(r->body);
		free(r);
		return sum;
	}
	return 0;
}

// The one leak: its copy is never released.
static size_t configure(const char *name) {
	char *own = copy(name, strlen(name));
	return strlen(own);
}

int main(void) {
	size_t sum = configure("alloc");
	for (unsigned i = 0; i < STEPS; i++) {
		unsigned key = roll() % (2 * KEEP);
		struct record *r = find(key);
		if (!r)
			insert(key);
		else if (roll() % 4)
			sum += drop(key);
		else
			append(r, "more text ", 10);
		char *word = copy("transient", roll() % 9);
		sum += strlen(word);
		free(word);
	}
	for (unsigned key = 0; key < 2 * KEEP; key++)
		sum += drop(key);
	printf("alloc %zu\n", sum);
	return 0;
}
