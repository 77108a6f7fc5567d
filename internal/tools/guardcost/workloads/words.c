// Allocation-heavy: an index of words. Every line is copied, on the stack when it is
// short; every word of it is looked up, and most become blocks of their own that live
// for a while. Lines with an odd checksum are forgotten: that is the leak.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1 << 12, KEEP = 20000 };

struct word {
	struct word *next;
	char *text;
	unsigned count;
};

static struct word *table[BUCKETS];
static struct word *queue[KEEP];
static unsigned long made, state = 12345;

static unsigned roll(void)
{
	state = state * 6364136223846793005UL + 1442695040888963407UL;
	return (unsigned)(state >> 33);
}

static unsigned hash(const char *s, size_t n)
{
	unsigned h = 2166136261u;
	while (n--)
		h = (h ^ (unsigned char)*s++) * 16777619u;
	return h;
}

static void drop(struct word *w)
{
	struct word **p = &table[hash(w->text, strlen(w->text)) % BUCKETS];
	while (*p != w)
		p = &(*p)->next;
	*p = w->next;
	free(w->text);
	free(w);
}

static unsigned note(const char *s, size_t n)
{
	struct word **p = &table[hash(s, n) % BUCKETS], *w;
	for (w = *p; w; w = w->next)
		if (strncmp(w->text, s, n) == 0 && w->text[n] == 0)
			return ++w->count;
	w = malloc(sizeof *w);
	if (!w || !(w->text = malloc(n + 1)))
		abort();
	memcpy(w->text, s, n);
	w->text[n] = 0;
	w->count = 1;
	w->next = *p;
	*p = w;
	if (queue[made % KEEP])
		drop(queue[made % KEEP]);
	queue[made++ % KEEP] = w;
	return 1;
}

static unsigned line(const char *s, size_t n)
{
	char near[40];
	char *text = near, *t, *end;
	unsigned sum = 0;
	if (n >= sizeof near) {
		text = malloc(n + 1);
		if (!text)
			abort();
	}
	memcpy(text, s, n);
	text[n] = 0;
	for (t = text; *t; t = end) {
		end = t + strcspn(t, " ");
		sum += note(t, (size_t)(end - t));
		if (*end)
			end++;
	}
	if (sum % 64 == 63)
		return 0; // forgets the text
	if (n >= sizeof near)
		free(text);
	return sum;
}

int main(int argc, char **argv)
{
	long lines = argc > 1 ? atol(argv[1]) : 1000000;
	unsigned sum = 0;
	char text[128];
	while (lines-- > 0) {
		size_t n = 0, want = 16 + roll() % 64;
		while (n < want) {
			unsigned word = roll() % 60000;
			if (n)
				text[n++] = ' ';
			do
				text[n++] = (char)('a' + word % 26);
			while ((word /= 26) && n < want);
		}
		sum += line(text, n);
	}
	printf("%u %lu\n", sum, made);
	return 0;
}
