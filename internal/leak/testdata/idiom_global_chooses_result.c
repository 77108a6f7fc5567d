// Clean. A callee opens a stream of its own only when the global has none, and
// the caller closes it under the same test; nothing in between sets the global.
#include <stdio.h>

static FILE *output;

static int open_output(const char *name, FILE **fp)
{
	if (!output) {
		*fp = fopen(name, "w");
		if (!*fp)
			return -1;
	} else {
		*fp = output;
	}
	return 0;
}

int get(const char *name)
{
	FILE *fp = NULL;
	int n;

	if (open_output(name, &fp)) // alloc: o0
		return -1;
	n = fputs("x", fp);
	if (!output)
		fclose(fp);
	return n;
}

int main(int argc, char **argv)
{
	int n;

	if (argc > 1)
		output = fopen(argv[1], "w");
	n = get("/dev/null");
	if (output)
		fclose(output);
	return n < 0;
}
