// clang: -std=c++20
// Generators that own their frames; a task kept in a global across main's end.
//
// run: =>
#include <coroutine>
#include <memory>
#include <string>
#include <utility>
#include <vector>

struct Gen {
	struct promise_type {
		std::string value;
		Gen get_return_object() { return Gen(std::coroutine_handle<promise_type>::from_promise(*this)); }
		std::suspend_always initial_suspend() noexcept { return {}; }
		std::suspend_always final_suspend() noexcept { return {}; }
		std::suspend_always yield_value(std::string v) { value = std::move(v); return {}; }
		void return_void() {}
		void unhandled_exception() { throw; }
	};
	explicit Gen(std::coroutine_handle<promise_type> h) : h(h) {}
	Gen(Gen &&o) noexcept : h(std::exchange(o.h, nullptr)) {}
	~Gen() { if (h) h.destroy(); }
	bool next() { h.resume(); return !h.done(); }
	std::coroutine_handle<promise_type> h;
};

static Gen words(int n)
{
	std::unique_ptr<int> count(new int(n));
	std::vector<std::string> all;
	while ((*count)-- > 0) {
		all.push_back(std::string(60, 'w'));
		co_yield all.back() + std::to_string(*count);
	}
}

static Gen suspended = words(3);

int main()
{
	size_t total = 0;
	Gen g = words(4);
	while (g.next())
		total += g.h.promise().value.size();
	Gen early = words(100);
	early.next();
	suspended.next();
	return total != 4 * 61;
}
