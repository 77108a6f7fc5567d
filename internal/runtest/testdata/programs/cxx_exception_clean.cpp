// Exceptions through frames that own what they hold; rethrown, nested, by value and
// by reference, from destructors' scopes and function try blocks.
//
// run: =>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct Guard {
	int *p;
	explicit Guard(int n) try : p(new int[n]) {
		if (n == 3)
			throw n;
	} catch (int) {
		delete[] p;
	}
	~Guard() { delete[] p; }
};

static void level(int n)
{
	std::unique_ptr<int[]> u(new int[n]);
	int *raw = new int(n);
	try {
		Guard g(n);
		if (n == 5)
			throw std::runtime_error(std::string(100, 'x'));
		level(n + 1);
	} catch (...) {
		delete raw;
		std::throw_with_nested(std::logic_error("level " + std::to_string(n)));
	}
	delete raw;
}

int main()
{
	std::exception_ptr kept;
	try {
		level(1);
	} catch (...) {
		kept = std::current_exception();
	}
	try {
		level(4);
	} catch (const std::exception &e) {
		try {
			std::rethrow_if_nested(e);
		} catch (...) {
		}
	}
	return !kept;
}
