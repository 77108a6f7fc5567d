// What C++ adds: exceptions, virtual calls, templates, references, lambdas.
#include <memory>
#include <map>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace shapes {
struct Shape {
	virtual ~Shape() = default;
	virtual double area() const = 0;
	static int count;
};
int Shape::count = 0;

template <typename T> struct Box : Shape {
	T *data;
	explicit Box(T v) : data(new T(v)) { ++count; }
	~Box() override { delete data; }
	double area() const override { return static_cast<double>(*data); }
};
} // namespace shapes

struct Left { int l = 1; virtual void left() {} };
struct Right { int r = 2; virtual void right() {} };
struct Both : Left, virtual Right { void right() override { r = 3; } int Both::*member = nullptr; };

int guarded(int n) {
	static std::string cache = std::to_string(n);
	try {
		auto box = std::make_unique<shapes::Box<int>>(n);
		if (n > 3) throw std::runtime_error("too many");
		std::vector<std::string> names(n, "x");
		return static_cast<int>(box->area()) + static_cast<int>(names.size() + cache.size());
	} catch (const std::exception &e) {
		return static_cast<int>(std::string(e.what()).size());
	} catch (...) {
		throw;
	}
}

int arrays(int n) {
	int *a = new int[n];
	int *b = new (std::nothrow) int[4]();
	char storage[sizeof(Both)];
	Both *p = new (storage) Both;
	p->right();
	int s = a[0] + (b ? b[1] : 0) + p->r;
	p->~Both();
	delete[] a;
	delete[] b;
	return s;
}

int lambdas(std::map<int, std::string> &m) {
	int total = 0;
	auto add = [&total](const auto &kv) { total += kv.first; };
	for (const auto &kv : m) add(kv);
	int (*plain)(int) = [](int x) { return x + 1; };
	int (Both::*none)() = nullptr;
	return plain(total) + (none == nullptr);
}

thread_local std::string per_thread("t");
void nothing() noexcept { per_thread.clear(); }

int main(int argc, char **) {
	std::map<int, std::string> m{{1, "a"}, {argc, "b"}};
	nothing();
	return guarded(argc) + arrays(argc) + lambdas(m);
}
