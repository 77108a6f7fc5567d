#include <stdlib.h>

#include "sites.h"

void lose(void) {
	ENTER;

	void *p = CALL(malloc(8));

	DROP(p);
	p = 0;
}
