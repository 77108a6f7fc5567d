struct A {
  int *p, n;
  A(int k) : p(new int[k]), n{k} { if (k) return; }
  ~A() { delete[] p; }
  int get() const { return *p; }
};

template <class T> int twice(T t) { return t.get() * 2; }

int cxx(int n) {
  A *a = new A(3), b(n);
  auto l = [&](int k) { if (k) return 1; return n; };
  int v[] = {1, 2};
  try {
    for (int &x : v) l(x);
  } catch (const A &e) {
    return 2;
  } catch (...) { throw; }
  if (int r = a->get()) return r;
  while (int z = l(2)) { if (z) break; else continue; }
  delete a;
  return twice(b) + l(1);
}
