// Two shared objects that hold each other outlive their last outside owner; with a
// weak link they do not.
//
// run: => A=2/?
#include <memory>

struct Node {
	std::shared_ptr<Node> next;
	std::weak_ptr<Node> back;
};

static void cycle()
{
	auto a = std::make_shared<Node>(); // alloc: A
	auto b = std::make_shared<Node>(); // alloc: A
	a->next = b;
	b->next = a;
} // leak: A

static void chain()
{
	auto a = std::make_shared<Node>();
	auto b = std::make_shared<Node>();
	a->next = b;
	b->back = a;
}

int main()
{
	cycle();
	chain();
	return 0;
}
