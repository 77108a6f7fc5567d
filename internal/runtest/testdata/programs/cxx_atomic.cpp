// std::atomic of a raw pointer: store, exchange and assignment lose; compare_exchange
// in a loop does not.
//
// run: => A=1/10 B=1/20 C=1/30
#include <atomic>

template <int N> struct Blob { char c[N]; };
struct Node { Node *next; };

static std::atomic<Blob<10> *> a;
static std::atomic<Blob<20> *> b;
static std::atomic<Blob<30> *> c;
static std::atomic<Node *> top;

static void push()
{
	Node *n = new Node;
	n->next = top.load();
	while (!top.compare_exchange_weak(n->next, n))
		;
}

int main()
{
	a.store(new Blob<10>); // alloc: A
	a.store(nullptr); // leak: A
	b = new Blob<20>; // alloc: B
	b.exchange(nullptr); // leak: B
	c = new Blob<30>; // alloc: C
	c = nullptr; // leak: C
	push();
	push();
	for (Node *n = top.exchange(nullptr), *next; n; n = next) {
		next = n->next;
		delete n;
	}
	return 0;
}
