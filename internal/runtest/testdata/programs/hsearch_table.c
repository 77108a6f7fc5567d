// hcreate's table is libc's own and holds the keys; hdestroy gives up the table
// without them.
//
// run: => A=2/32
#include <search.h>
#include <stdlib.h>
#include <string.h>

static void add(const char *s)
{
	ENTRY e;
	e.key = malloc(16); // alloc: A
	e.data = NULL;
	strcpy(e.key, s);
	hsearch(e, ENTER);
}

int main(void)
{
	hcreate(10);
	add("first");
	add("second");
	hdestroy(); // leak: A
	return 0;
}
