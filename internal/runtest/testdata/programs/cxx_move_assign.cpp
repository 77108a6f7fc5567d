// A move assignment that forgets its old buffer, called by a container too.
//
// run: => A=2/64
#include <utility>
#include <vector>

class Buffer {
public:
	explicit Buffer(int n) : data(new char[32]) { data[0] = (char)n; } // alloc: A
	Buffer(Buffer &&o) noexcept : data(std::exchange(o.data, nullptr)) {}
	Buffer &operator=(Buffer &&o) noexcept
	{
		data = o.data; // leak: A
		o.data = nullptr;
		return *this;
	}
	~Buffer() { delete[] data; }

private:
	char *data;
};

int main()
{
	std::vector<Buffer> v;
	for (int i = 0; i < 3; i++)
		v.emplace_back(i);
	v.erase(v.begin());
	Buffer b(9);
	b = Buffer(8);
	return v.size() != 2;
}
