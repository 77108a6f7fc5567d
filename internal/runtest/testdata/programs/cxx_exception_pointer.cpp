// An exception thrown by pointer: the handler looks at it and does not delete it. In
// the other handler it is deleted.
//
// run: => E=1/16
// known@O0,O1,O2,O3: E the end of a handler has the line of its brace
struct Error { int code; long detail; };

static void fail(int n)
{
	throw new Error{ n, 0 }; // alloc: E
}

static int first()
{
	try {
		fail(1);
	} catch (Error *e) {
		return e->code; // leak: E
	}
	return 0;
}

static int second()
{
	try {
		fail(2);
	} catch (Error *e) {
		int n = e->code;
		delete e;
		return n;
	}
	return 0;
}

int main()
{
	return first() + second() != 3;
}
