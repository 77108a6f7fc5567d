// clang: -std=c++20
// A coroutine: tokens, switches on suspension points, intrinsics with odd types.
#include <coroutine>
struct Task {
	struct promise_type {
		Task get_return_object() { return {}; }
		std::suspend_never initial_suspend() { return {}; }
		std::suspend_always final_suspend() noexcept { return {}; }
		void return_void() {}
		void unhandled_exception() {}
	};
};
Task run(int n) {
	for (int i = 0; i < n; i++) co_await std::suspend_always{};
}
