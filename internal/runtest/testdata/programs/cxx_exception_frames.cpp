// An exception goes through three frames with raw pointers: each is lost at the call
// that threw; the one that is caught and freed is not.
//
// run: 1 =>
// run: -1 => A=1/16 B=1/24 C=1/32
#include <cstdlib>
#include <stdexcept>
#include <string>

static int inner(int n)
{
	char *c = new char[32]; // alloc: C
	c[0] = 1;
	if (n < 0)
		throw std::runtime_error("negative"); // leak: C
	delete[] c;
	return n;
}

static int middle(int n)
{
	std::string name = "a string that is too long to be inside";
	long *b = new long[3]; // alloc: B
	n += inner(n); // leak: B
	delete[] b;
	return n + (int)name.size();
}

static int outer(int n)
{
	int *a = new int[4]; // alloc: A
	a[0] = 1;
	n = middle(n) + a[0]; // leak: A
	delete[] a;
	return n;
}

int main(int argc, char **argv)
{
	int *own = new int(3);
	try {
		outer(argc > 1 ? std::atoi(argv[1]) : 1);
	} catch (const std::exception &) {
		*own = 4;
	}
	delete own;
	return 0;
}
