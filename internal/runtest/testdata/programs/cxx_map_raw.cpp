// Maps of raw pointers: assignment to a key that is there, erase, and the end of the map.
//
// run: => A=1/10 B=1/20 C=1/30 D=2/80
#include <map>
#include <string>
#include <unordered_map>

template <int N> struct Blob { char c[N]; };

struct Registry {
	std::map<int, Blob<10> *> byNumber;
	std::unordered_map<std::string, Blob<20> *> byName;

	void set(int k, Blob<10> *p)
	{
		byNumber[k] = p; // leak: A
	}
	void drop(const char *name)
	{
		byName.erase(name); // leak: B
	}
};

static int scope()
{
	std::map<int, Blob<40> *> m;
	m[1] = new Blob<40>; // alloc: D
	m.emplace(2, new Blob<40>); // alloc: D
	return (int)m.size(); // leak: D
}

int main()
{
	Registry r;
	r.set(1, new Blob<10>); // alloc: A
	r.set(1, nullptr);
	r.byName["x"] = new Blob<20>; // alloc: B
	r.drop("x");
	std::unordered_map<int, Blob<30> *> u;
	u[7] = new Blob<30>; // alloc: C
	u.clear(); // leak: C
	return scope() != 2;
}
