// list, deque, queue and array of raw pointers.
//
// run: => A=1/10 B=1/20 C=1/30 D=3/120
// known@O0: A without optimisation the library's inline functions leave copies in their frames that end later
// known@O0: B without optimisation the library's inline functions leave copies in their frames that end later
// known@O0: C without optimisation the library's inline functions leave copies in their frames that end later
#include <array>
#include <deque>
#include <list>
#include <queue>

template <int N> struct Blob { char c[N]; };

static int fixed()
{
	std::array<Blob<40> *, 3> a;
	for (auto &p : a)
		p = new Blob<40>; // alloc: D
	a[0]->c[0] = 1;
	return a[0]->c[0]; // leak: D
}

int main()
{
	std::list<Blob<10> *> l;
	l.push_back(new Blob<10>); // alloc: A
	l.pop_front(); // leak: A
	std::deque<Blob<20> *> d;
	d.push_front(new Blob<20>); // alloc: B
	d.pop_back(); // leak: B
	std::queue<Blob<30> *> q;
	q.push(new Blob<30>); // alloc: C
	q.pop(); // leak: C
	return fixed() != 1;
}
