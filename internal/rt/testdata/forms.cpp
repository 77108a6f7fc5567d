// All forms of new and delete; running out of memory throws.
// lost 1 24
// lost 1 24
// lost 2 128
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

struct alignas(64) Wide {
	char c[64];
	~Wide() {}
};
struct Three {
	long a, b, c;
};

static int handled;
static void handler() {
	if (handled++) std::set_new_handler(nullptr);
}

static void *seen(void *p) {
	asm volatile("" : : "r"(p) : "memory");
	return p;
}
template <class T> static T *seen(T *p) {
	if ((uintptr_t)p % alignof(T)) abort();
	asm volatile("" : : "r"(p) : "memory");
	return p;
}

int main() {
	delete seen(new Three);
	delete[] seen(new Three[5]);
	delete seen(new (std::nothrow) Three);
	delete[] seen(new (std::nothrow) Three[5]);
	delete seen(new Wide);
	delete[] seen(new Wide[3]);
	delete seen(new (std::nothrow) Wide);
	operator delete(seen(operator new(100)), std::nothrow);
	{
		std::vector<std::string> v;
		for (int i = 0; i < 1000; i++) v.push_back(std::to_string(i) + " and some more text");
	}
	size_t huge = (size_t)1 << 60;
	asm volatile("" : "+r"(huge));
	if (new (std::nothrow) char[huge]) abort();
	std::set_new_handler(handler);
	try {
		seen(operator new(huge));
		abort();
	} catch (const std::bad_alloc &) {
		if (handled != 2) abort();
	}
	seen(new Three);
	seen(new (std::nothrow) Three);
	for (int i = 0; i < 2; i++) seen(new Wide);
	try {
		throw std::runtime_error("an exception object, released");
	} catch (const std::exception &) {
	}
	return 0;
}
