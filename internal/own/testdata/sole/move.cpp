// An object that is moved from one owner to another.
#include <cstdio>
#include <utility>

class Blob {
public:
	explicit Blob(int n) : p_(new int[n]) { p_[0] = n; }
	Blob(Blob &&o) noexcept : p_(o.p_) { o.p_ = nullptr; }
	Blob &operator=(Blob &&o) noexcept {
		delete[] p_; // not sole: Blob.p_ may be read before it is set again
		p_ = o.p_;
		o.p_ = nullptr;
		return *this;
	}
	void take(Blob &o) {
		int *old = p_;
		p_ = o.p_;
		o.p_ = nullptr;
		delete[] old; // sole
	}
	void reset(int n) {
		delete[] p_; // sole
		p_ = new int[n];
	}
	~Blob() { delete[] p_; }
	int first() const { return p_ ? p_[0] : -1; }
private:
	int *p_;
};

int main()
{
	Blob a(4), b(8);
	a = std::move(b);
	a.take(b);
	a.reset(3);
	std::printf("%d %d\n", a.first(), b.first());
}
