// Placement new over an object that holds a pointer, and into a buffer that is given
// back without the destructor.
//
// run: => A=1/11 B=1/22
#include <new>

struct Box {
	char *p;
	explicit Box(char *q) : p(q) {} // leak: A
	~Box() { delete[] p; }
};

int main()
{
	alignas(Box) unsigned char place[sizeof(Box)];
	Box *b = new (place) Box(new char[11]); // alloc: A
	b = new (place) Box(nullptr); // leak: A
	b->~Box();
	void *memory = ::operator new(sizeof(Box));
	new (memory) Box(new char[22]); // alloc: B
	::operator delete(memory); // leak: B
	return 0;
}
