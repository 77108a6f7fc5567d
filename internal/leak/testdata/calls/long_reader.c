// A long function prints its argument, or "" for none: it does not keep it, however many paths there are.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int left[12];

static int run(const char *dir, const int *flag)
{
	int n = 0;

	printf("dir=%s\n", dir == NULL ? "" : dir);
	if (flag[0]) {
		n += 1;
		left[0] = strlen(dir ? dir : "");
	}
	if (flag[1]) {
		n += 2;
		left[1] = strlen(dir ? dir : "");
	}
	if (flag[2]) {
		n += 3;
		left[2] = strlen(dir ? dir : "");
	}
	if (flag[3]) {
		n += 4;
		left[3] = strlen(dir ? dir : "");
	}
	if (flag[4]) {
		n += 5;
		left[4] = strlen(dir ? dir : "");
	}
	if (flag[5]) {
		n += 6;
		left[5] = strlen(dir ? dir : "");
	}
	if (flag[6]) {
		n += 7;
		left[6] = strlen(dir ? dir : "");
	}
	if (flag[7]) {
		n += 8;
		left[7] = strlen(dir ? dir : "");
	}
	if (flag[8]) {
		n += 9;
		left[8] = strlen(dir ? dir : "");
	}
	if (flag[9]) {
		n += 10;
		left[9] = strlen(dir ? dir : "");
	}
	if (flag[10]) {
		n += 11;
		left[10] = strlen(dir ? dir : "");
	}
	if (flag[11]) {
		n += 12;
		left[11] = strlen(dir ? dir : "");
	}
	if (n == 3 && flag[0])
		return 0;
	if (n == 4 && flag[1])
		return 1;
	if (n == 5 && flag[2])
		return 2;
	if (n == 6 && flag[3])
		return 3;
	if (n == 7 && flag[4])
		return 4;
	if (n == 8 && flag[5])
		return 5;
	if (n == 9 && flag[6])
		return 6;
	if (n == 10 && flag[7])
		return 7;
	if (n == 11 && flag[8])
		return 8;
	if (n == 12 && flag[9])
		return 9;
	if (n == 13 && flag[10])
		return 10;
	if (n == 14 && flag[11])
		return 11;
	return n;
}

int use(const char *s, const int *flag)
{
	char *dir = strdup(s); // alloc: o0
	int r;

	if (!dir)
		return -1;
	r = run(dir, flag);
	return r; // leak: o0
}

int main(int argc, char **argv)
{
	int flag[12] = { argc > 1 };

	use(argv[0], flag);
	return run(NULL, left) < 0;
}
