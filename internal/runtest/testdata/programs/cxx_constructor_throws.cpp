// A constructor that throws: its object is released by new, its members by their
// destructors, but what a raw member points to is lost with the object's memory,
// which the new-expression gives back (or, the same, at the throw that ends the object).
//
// run: 0 =>
// run: 1 => A=1/40
#include <cstdlib>
#include <memory>

struct Base {
	std::unique_ptr<int> owned{ new int(1) };
};

struct Thing : Base {
	char *buffer;
	explicit Thing(int n) : buffer(new char[40]) // alloc: A
	{
		buffer[0] = 1;
		if (n)
			throw n; // leak: A
	}
	~Thing() { delete[] buffer; }
};

int main(int argc, char **argv)
{
	try {
		Thing *t = new Thing(argc > 1 ? std::atoi(argv[1]) : 0); // leak: A
		delete t;
	} catch (int) {
	}
	return 0;
}
