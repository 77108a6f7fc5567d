// A stream that only libc's list knows is lost, with its buffer; one that the
// program knows is forgotten; buffers of standard streams are nobody's.
// lost 1 472
// indirect 1 4096
// forgotten 1 472
// forgotten 1 4096
#include <stdio.h>

static FILE *keep;

__attribute__((noinline)) static void lose(void) {
	FILE *f = fopen("/etc/passwd", "r");
	char c[4];
	fread(c, 1, 4, f);
}

int main(void) {
	char c;
	keep = fopen("/etc/passwd", "r");
	fread(&c, 1, 1, keep);
	lose();
	FILE *f = fopen("/etc/passwd", "r");
	fread(&c, 1, 1, f);
	fclose(f);
	printf("hello\n");
	return 0;
}
