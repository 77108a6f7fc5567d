// Objects of C++ that are released twice, or used after their release. Each bad_ function is one under AddressSanitizer, none of the
// ok_ functions is: see main.
// no-run: TestFreed runs it
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Node {
	int n = 0;
	Node *next = nullptr;
};

static void bad_delete_twice()
{
	Node *p = new Node; // alloc: twice
	delete p;
	delete p; // double-free: twice "operator new"
}

static void bad_use()
{
	Node *p = new Node; // alloc: use
	delete p;
	p->n = 1; // use-after-free: use
}

static void bad_array()
{
	int *p = new int[3]; // alloc: array
	delete[] p;
	std::printf("%d\n", p[0]); // use-after-free: array
}

class Buffer {
public:
	Buffer() : data(new char[4]) {}
	~Buffer() { delete[] data; }
	void close() { delete[] data; }
	void reset()
	{
		delete[] data;
		data = nullptr;
	}
	char *data;
};

static void bad_destructor()
{
	Buffer b;
	b.close(); // alloc: destructor
} // double-free: destructor

static void bad_method(Buffer *b)
{
	b->close(); // alloc: method
	b->data[0] = 'x'; // use-after-free: method "held by 'b->data'"
}

static void run_method()
{
	Buffer *b = new Buffer; // the buffer itself is lost on purpose: only its data is of interest; alloc: lost
	bad_method(b);
} // leak: lost

static void ok_reset()
{
	Buffer b;
	b.reset();
}

static void ok_list()
{
	Node *head = new Node;
	head->next = new Node;
	while (head) {
		Node *next = head->next;
		delete head;
		head = next;
	}
}

static void ok_nulled()
{
	Node *p = new Node;
	delete p;
	p = nullptr;
	delete p;
}

class Owner {
public:
	explicit Owner(Node *n) : node(n) {}
	~Owner() { delete node; }
	Node *take()
	{
		Node *n = node;
		node = nullptr;
		return n;
	}

private:
	Node *node;
};

static void ok_taken()
{
	Owner o(new Node);
	Node *n = o.take();
	delete n;
}

static void ok_catch()
{
	Node *p = new Node;
	try {
		if (std::getenv("NONE"))
			throw 1;
		delete p;
	} catch (int) {
		delete p;
	}
}

static void ok_order()
{
	Node *p = new Node;
	int n = p->n;
	delete p;
	std::printf("%d\n", n);
}

static void (*const all[])() = {
	bad_delete_twice, bad_use, bad_array, bad_destructor, run_method, nullptr, ok_reset, ok_list, ok_nulled, ok_taken, ok_catch, ok_order,
};

// Runs one of them, by its number; those after the gap must go well.
int main(int argc, char **argv)
{
	unsigned i = argc > 1 ? std::atoi(argv[1]) : 0;
	if (i < sizeof all / sizeof *all && all[i])
		all[i]();
	return 0;
}
