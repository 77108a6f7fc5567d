// Objects that are released by a function that takes others. Each bad_ function is one under AddressSanitizer, as far as it knows of the
// functions, none of the ok_ functions is: see main.
// no-run: TestFreed runs it
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Node {
	int n = 0;
};

static void bad_malloc_delete()
{
	int *p = static_cast<int *>(std::malloc(sizeof *p)); // alloc: mallocdelete
	delete p; // mismatched-free: mallocdelete "memory allocated by malloc and held by 'p' is released here by the wrong function"
}

static void bad_new_free()
{
	Node *p = new Node; // alloc: newfree
	std::free(p); // mismatched-free: newfree
}

static void bad_array_delete()
{
	int *p = new int[3]; // alloc: arraydelete
	delete p; // mismatched-free: arraydelete
}

static void bad_delete_array()
{
	int *p = new int; // alloc: deletearray
	delete[] p; // mismatched-free: deletearray
}

static char *copy(const char *s)
{
	char *p = new char[std::strlen(s) + 1];
	std::strcpy(p, s);
	return p;
}

static void release(void *p)
{
	if (p)
		std::free(p);
}

// Both by functions of the program.
static void bad_through_calls()
{
	char *p = copy("x"); // alloc: calls
	std::puts(p);
	release(p); // mismatched-free: calls "allocated by copy"
}

struct Holder {
	char *text;
};

static void bad_field()
{
	Holder h;
	h.text = strdup("x"); // alloc: field
	delete[] h.text; // mismatched-free: field "held by 'h.text'"
}

Node *shared;

// Others may see it: it is the wrong function all the same.
static void bad_escaped()
{
	Node *p = new Node; // alloc: escaped
	shared = p;
	std::free(p); // mismatched-free: escaped
}

static void bad_stream()
{
	std::FILE *f = std::fopen("/dev/null", "r"); // alloc: stream
	if (f)
		std::free(f); // mismatched-free: stream "stream opened by fopen"
}

static void bad_pipe()
{
	std::FILE *f = popen("true", "r"); // alloc: pipe
	if (f)
		std::fclose(f); // mismatched-free: pipe
}

static void ok_pairs()
{
	std::free(strdup("x"));
	delete new Node;
	delete[] new int[3];
	std::FILE *f = popen("true", "r");
	if (f)
		pclose(f);
}

static void ok_through_calls()
{
	char *p = copy("x");
	delete[] p;
	release(strdup("x"));
}

static void ok_either(bool array)
{
	int *p = array ? new int[2] : new int;
	if (array)
		delete[] p;
	else
		delete p;
}

static void run_either() { ok_either(true); }

// A family of its own, whatever it is made of.
struct Pool {
	static void *operator new(std::size_t n) { return std::malloc(n); }
	static void operator delete(void *p) { std::free(p); }
	int n;
};

static void ok_own_operators()
{
	Pool *p = new Pool;
	p->n = 1;
	delete p;
}

static void ok_realloc()
{
	void *p = std::malloc(8);
	void *q = std::realloc(p, 100);
	std::free(q ? q : p);
}

static void ok_out_parameter()
{
	char *line = nullptr;
	std::size_t n = 0;
	std::FILE *f = std::fopen("/dev/null", "r");
	if (!f)
		return;
	if (getline(&line, &n, f) < 0)
		std::puts("empty");
	std::fclose(f);
	std::free(line);
}

// Placement makes nothing.
static void ok_placement()
{
	void *room = std::malloc(sizeof(Node));
	if (!room)
		return;
	Node *p = static_cast<Node *>(room);
	p->n = 1;
	std::free(p);
}

static void (*const all[])() = {
	bad_malloc_delete, bad_new_free, bad_array_delete, bad_delete_array, bad_through_calls, bad_field, bad_escaped, bad_stream, bad_pipe, nullptr,
	ok_pairs, ok_through_calls, run_either, ok_own_operators, ok_realloc, ok_out_parameter, ok_placement,
};

// Runs one of them, by its number; those after the gap must go well.
int main(int argc, char **argv)
{
	unsigned i = argc > 1 ? std::atoi(argv[1]) : 0;
	if (i < sizeof all / sizeof *all && all[i])
		all[i]();
	return 0;
}
