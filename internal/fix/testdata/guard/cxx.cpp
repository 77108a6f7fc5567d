// Guards in C++: new and delete, whose types stay.
// run: 0
// run: 1
#include <cstdio>
#include <cstdlib>

struct shape {
	int edges;
	explicit shape(int n) : edges(n) {}
};

static shape unit(1);

static int area(const shape *s)
{
	return s->edges * 2;
}

static int measure(int n)
{
	shape *s = &unit;
	if (n > 0)
		s = new shape(n);
	int a = area(s);
	std::puts("measured");
	return a;
}

static int half(int n)
{
	int *v = new int[4];
	v[0] = n;
	int r = v[0] % 2;
	if (r == n)
		delete[] v;
	std::puts("halved");
	return r;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? std::atoi(argv[1]) : 0;
	std::printf("%d\n", measure(n) + half(n) + half(n + 4));
	return 0;
}
