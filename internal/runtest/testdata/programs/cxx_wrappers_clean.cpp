// The same wrappers with owners in them, or emptied before they are overwritten.
//
// run: => ~A=1/50
#include <any>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

template <int N> struct Blob { char c[N]; };
static std::function<int()> kept;

int main()
{
	std::pair<int, Blob<10> *> a(1, new Blob<10>);
	delete std::exchange(a.second, nullptr);
	std::optional<std::unique_ptr<Blob<20>>> b(std::make_unique<Blob<20>>());
	b.reset();
	std::variant<int, std::shared_ptr<Blob<30>>> c = std::make_shared<Blob<30>>();
	c = 5;
	std::vector<std::function<int()>> v;
	auto shared = std::make_shared<Blob<40>>();
	for (int i = 0; i < 10; i++)
		v.push_back([shared, i] { return shared->c[0] + i; });
	v.resize(3);
	std::any any = std::vector<int>(100);
	any = 1;
	auto [x, y] = std::make_tuple(std::make_unique<int>(1), new int(2));
	delete y;
	Blob<50> *p = new Blob<50>; // alloc: A
	p->c[0] = 0; // forgotten: A
	kept = [p] { return p->c[0]; };
	return *x != 1;
}
