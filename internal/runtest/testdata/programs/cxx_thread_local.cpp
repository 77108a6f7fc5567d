// thread_local objects: one whose destructor frees, one that is a raw pointer.
//
// run: => A=2/80
#include <memory>
#include <string>
#include <thread>
#include <vector>

static thread_local std::vector<std::string> names;
static thread_local std::unique_ptr<int> owned;
static thread_local char *raw;

static void work(int n)
{
	names.push_back(std::string(50, 'x'));
	owned = std::make_unique<int>(n);
	raw = new char[40]; // alloc: A
	raw[0] = (char)n;
} // leak: A

int main()
{
	std::thread a(work, 1), b(work, 2);
	a.join();
	b.join();
	return 0;
}
