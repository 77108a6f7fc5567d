// Objects of static storage: destroyed after main, by destructors that free; and one
// that is made once and never destroyed, which stays reachable.
//
// run: => ~A=1/? ~B=1/24
#include <map>
#include <memory>
#include <string>
#include <vector>

struct Log {
	long *lines = new long[3]; // alloc: B
	std::vector<int *> all;
	~Log()
	{
		for (int *p : all)
			delete p;
		if (!all.empty())
			delete[] lines;
	}
};

static Log &log()
{
	static Log l;
	return l;
}

static Log &immortal()
{
	static Log *l = new Log; // alloc: A
	return *l;
}

static std::map<std::string, std::unique_ptr<int>> registry;

int main()
{
	log().all.push_back(new int(1));
	immortal().lines[0] = 2; // forgotten: A; forgotten: B
	registry["a name that is longer than the inside"] = std::make_unique<int>(3);
	return 0;
}
