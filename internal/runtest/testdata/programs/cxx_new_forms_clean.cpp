// All forms of new and delete: arrays with a count in front, aligned, nothrow, sized,
// a class's own operators; and an array whose only pointer is behind the count.
//
// run: => ~A=1/?
#include <cstdlib>
#include <new>

struct Counted {
	int n;
	~Counted() { n = 0; }
};
struct alignas(64) Wide { char c[64]; };
struct Own {
	long v[4];
	static void *operator new(std::size_t n) { return std::malloc(n + 8); }
	static void operator delete(void *p) { std::free(p); }
};
struct Virtual {
	virtual ~Virtual() {}
	long a = 1;
};
struct Derived : Own, Virtual {
	long b = 2;
};

static Counted *kept;

int main()
{
	kept = new Counted[5]; // alloc: A
	kept[4].n = 1; // forgotten: A
	Counted *c = new Counted[3];
	delete[] c;
	delete new Wide;
	delete[] new Wide[3];
	delete new (std::nothrow) int(4);
	delete new Own;
	Virtual *v = new Virtual;
	delete v;
	int *plain = new int[0];
	delete[] plain;
	void *raw = ::operator new(100, std::align_val_t(128));
	::operator delete(raw, std::align_val_t(128));
	return 0;
}
