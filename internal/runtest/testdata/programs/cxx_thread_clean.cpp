// std::thread, async, promise, mutex-guarded sharing: everything finds its end.
//
// run: =>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
static std::vector<std::unique_ptr<int>> results;

int main()
{
	std::vector<std::thread> threads;
	for (int i = 0; i < 4; i++)
		threads.emplace_back([i, p = std::make_unique<int>(i)]() mutable {
			*p += i;
			std::lock_guard<std::mutex> g(lock);
			results.push_back(std::move(p));
		});
	for (auto &t : threads)
		t.join();
	auto f = std::async(std::launch::async, [] { return std::vector<int>(100, 1); });
	int n = (int)f.get().size();
	std::promise<std::shared_ptr<int>> promise;
	auto future = promise.get_future();
	std::thread t([&promise] { promise.set_value(std::make_shared<int>(5)); });
	n += *future.get();
	t.join();
	return n != 105;
}
