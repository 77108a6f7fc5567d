// main returned: nothing on its stack counts, however it lies there.
// lost 1 40
// lost 1 48
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static void deep(int n) {
	void *volatile here[100];
	memset((void *)here, 0, sizeof here);
	if (n) deep(n - 1);
	else here[50] = malloc(40);
}

int main(void) {
	void *volatile p = malloc(48);
	deep(30);
	return 0;
}
