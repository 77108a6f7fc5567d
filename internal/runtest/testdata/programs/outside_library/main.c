// A library that was not built by plumb overwrites the only pointer, and loses what
// it allocated itself: the place is the call that did it.
//
// run: => A=1/31 B=1/32
// known@O0,O1,O2,O3: A code that plumb did not build tells nothing of its stores
#include <stdlib.h>
#include "outside.h"

int main(void)
{
	outside_set(malloc(31)); // alloc: A
	outside_set(NULL); // leak: A
	outside_scratch(); // leak: B
	return 0;
}
