// Three units: the block is made in one, stored by another, and lost by the third.
//
// run: => A=1/18 B=1/19
#include "parts.h"

int main(void)
{
	struct doc d;
	doc_init(&d);
	doc_title(&d, part_text(18));
	doc_title(&d, part_text(1));
	doc_close(&d);
	return 0;
}
