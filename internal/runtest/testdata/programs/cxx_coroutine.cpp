// clang: -std=c++20
// A coroutine's frame is heap: a raw pointer in it is lost when the suspended frame is
// destroyed; a frame whose handle is dropped is lost itself, with what it holds.
//
// run: => A=1/24 F=1/? G=1/40
// known@O0,O1,O2,O3: A the release of a coroutine's frame has the line of the coroutine
#include <coroutine>
#include <utility>

struct Gen {
	struct promise_type {
		int value = 0;
		Gen get_return_object() { return Gen{ std::coroutine_handle<promise_type>::from_promise(*this) }; }
		std::suspend_always initial_suspend() noexcept { return {}; }
		std::suspend_always final_suspend() noexcept { return {}; }
		std::suspend_always yield_value(int v) { value = v; return {}; }
		void return_void() {}
		void unhandled_exception() {}
	};
	std::coroutine_handle<promise_type> h;
	int next() { h.resume(); return h.promise().value; }
};

static Gen numbers()
{
	long *state = new long[3]; // alloc: A
	for (state[0] = 1;; state[0]++)
		co_yield (int)state[0]; // leak: A
	delete[] state;
}

static Gen dropped() // alloc: F
{
	char *held = new char[40]; // alloc: G
	co_yield held[0] = 3;
	delete[] held;
}

static int first()
{
	Gen g = numbers();
	int n = g.next() + g.next();
	g.h.destroy(); // leak: A
	return n;
}

static int second()
{
	Gen g = dropped();
	return g.next(); // leak: F; leak: G
}

int main()
{
	return first() + second() != 6;
}
