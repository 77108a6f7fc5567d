// Exceptions, virtual calls, members and namespaces.
namespace store {
struct Base {
	virtual ~Base();
	virtual int get() const = 0;
};
struct Item : Base {
	int *p;
	Item(int n) : p(new int(n)) {}
	~Item() override { delete p; }
	int get() const override { return *p; }
};
int use(const Base &b, int n) {
	try {
		Item it(n);
		if (n > 3) throw n;
		return b.get() + it.get();
	} catch (int e) {
		return e;
	}
}
} // namespace store
