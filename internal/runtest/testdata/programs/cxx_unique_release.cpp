// unique_ptr: release() whose result is dropped; a raw pointer taken out and lost;
// reset and move lose nothing.
//
// run: => A=1/12 B=1/13
#include <memory>
#include <utility>

template <int N> struct Blob { char c[N]; };

static int taken(std::unique_ptr<Blob<13>> u)
{
	Blob<13> *raw = u.release();
	raw->c[0] = 1;
	return raw->c[0]; // leak: B
}

int main()
{
	auto a = std::make_unique<Blob<12>>(); // alloc: A
	a.release(); // leak: A
	auto c = std::make_unique<Blob<14>>();
	c = std::make_unique<Blob<14>>();
	c.reset(new Blob<14>);
	std::unique_ptr<Blob<14>> d = std::move(c);
	return taken(std::make_unique<Blob<13>>()) != 1; // alloc: B
}
