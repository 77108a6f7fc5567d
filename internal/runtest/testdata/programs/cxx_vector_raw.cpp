// A vector of raw pointers: pop_back, erase, clear, resize and assignment each lose
// the elements; so does the end of the vector.
//
// run: => A=1/8 B=1/16 C=2/48 D=1/32 E=1/40 F=2/96
#include <vector>

template <int N> struct Blob { char c[N]; };

template <class T> static std::vector<T *> filled(int n, T *(*make)())
{
	std::vector<T *> v;
	for (int i = 0; i < n; i++)
		v.push_back(make());
	return v;
}

static int scope()
{
	std::vector<Blob<48> *> v;
	v.push_back(new Blob<48>); // alloc: F
	v.push_back(new Blob<48>); // alloc: F
	return (int)v.size(); // leak: F
}

int main()
{
	auto a = filled<Blob<8>>(1, [] { return new Blob<8>; }); // alloc: A
	auto b = filled<Blob<16>>(1, [] { return new Blob<16>; }); // alloc: B
	auto c = filled<Blob<24>>(2, [] { return new Blob<24>; }); // alloc: C
	auto d = filled<Blob<32>>(1, [] { return new Blob<32>; }); // alloc: D
	auto e = filled<Blob<40>>(1, [] { return new Blob<40>; }); // alloc: E
	a.pop_back(); // leak: A
	b.erase(b.begin()); // leak: B
	c.clear(); // leak: C
	d.resize(0); // leak: D
	e = std::vector<Blob<40> *>(); // leak: E
	return scope() != 2;
}
