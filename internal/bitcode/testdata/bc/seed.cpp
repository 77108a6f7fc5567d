// Exceptions, virtual calls and templates: the C++ seed for mutated bitcode.
struct Base { virtual ~Base() {} virtual int get() = 0; };
template <typename T> struct Box : Base {
	T *p;
	Box(T v) : p(new T(v)) {}
	~Box() { delete p; }
	int get() override { return *p; }
};
int use(int n) {
	try {
		Box<int> b(n);
		if (n > 3) throw n;
		return b.get();
	} catch (int e) {
		return e;
	}
}
