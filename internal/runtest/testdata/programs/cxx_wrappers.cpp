// Raw pointers in pair, optional, variant, tuple, function and a lambda's capture.
//
// run: => A=1/10 B=1/20 C=1/30 D=1/40 E=1/50
// known@O0,O1,O2,O3: D the capture is destroyed without any code; its memory ends with the function object
// known@O1,O2,O3: C an int over a part of the pointer is not followed
#include <functional>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>

template <int N> struct Blob { char c[N]; };

static int captured()
{
	Blob<50> *p = new Blob<50>; // alloc: E
	p->c[0] = 1;
	auto f = [p] { return p->c[0]; };
	p = nullptr;
	return f(); // leak: E
}

int main()
{
	std::pair<int, Blob<10> *> a(1, new Blob<10>); // alloc: A
	a = { 2, nullptr }; // leak: A
	std::optional<Blob<20> *> b = new Blob<20>; // alloc: B
	b = nullptr; // leak: B
	std::variant<int, Blob<30> *> c = new Blob<30>; // alloc: C
	c = 5; // leak: C
	std::function<int()> d = [p = new Blob<40>] { return p->c[0]; }; // alloc: D
	d = nullptr; // leak: D
	return captured() != 1;
}
