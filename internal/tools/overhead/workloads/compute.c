// Compute-heavy: matrices, a sieve and a hash over large arrays from malloc;
// hardly a pointer is stored.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 768, PRIMES = 20000000, WORDS = 1 << 21, ROUNDS = 200 };

static void *need(size_t bytes) {
	void *p = malloc(bytes);
	if (!p)
		abort();
	return p;
}

static double multiply(void) {
	double *a = need(N * N * sizeof *a), *b = need(N * N * sizeof *b), *c = need(N * N * sizeof *c);
	for (int i = 0; i < N * N; i++) {
		a[i] = i % 17 - 8;
		b[i] = i % 23 - 11;
		c[i] = 0;
	}
	for (int i = 0; i < N; i++)
		for (int k = 0; k < N; k++)
			for (int j = 0; j < N; j++)
				c[i * N + j] += a[i * N + k] * b[k * N + j];
	double sum = 0;
	for (int i = 0; i < N * N; i++)
		sum += c[i] * (i % 3);
	free(a);
	free(b);
	free(c);
	return sum;
}

static int sieve(void) {
	unsigned char *composite = calloc(PRIMES, 1);
	if (!composite)
		abort();
	int count = 0;
	for (int i = 2; i < PRIMES; i++) {
		if (composite[i])
			continue;
		count++;
		for (long long j = (long long)i * i; j < PRIMES; j += i)
			composite[j] = 1;
	}
	free(composite);
	return count;
}

static uint64_t hash(void) {
	uint64_t *w = need(WORDS * sizeof *w), h = 14695981039346656037u;
	for (int i = 0; i < WORDS; i++)
		w[i] = i * 2654435761u;
	for (int r = 0; r < ROUNDS; r++)
		for (int i = 0; i < WORDS; i++) {
			h = (h ^ w[i]) * 1099511628211u;
			w[i] = h >> 7;
		}
	free(w);
	return h;
}

// The one leak: its copy is never released.
static size_t configure(const char *name) {
	char *own = need(strlen(name) + 1);
	strcpy(own, name);
	return strlen(own);
}

int main(void) {
	size_t length = configure("compute");
	double product = multiply();
	int primes = sieve();
	printf("compute %zu %.0f %d %016llx\n", length, product, primes, (unsigned long long)hash());
	return 0;
}
