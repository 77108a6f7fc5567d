#include <stdlib.h>

int load(const char *s) {
	char *buf = malloc(16); /* bytes before: */
	/* é𝄞 */ char *two = malloc(32);
	if (s[0] == 'b')
		return -1;
	free(buf);
	free(two);
	return 0;
}
