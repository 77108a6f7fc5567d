// What C++ adds to shapes.c: operators, references, virtual calls, constructors and
// destructors, and library types that release what they own.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <string>
#include <memory>
#include <list>
#include <map>
struct Two { int a, b; };
static void print(const Two *t) { printf("%d\n", t->a); }
void bad_new() { Two *d = new Two; d->a = 0; print(d); } // alloc: bad_new; leak: bad_new
void good_new() { Two *d = new Two; d->a = 0; print(d); delete d; }
void bad_arr() { int *d = new int[100]; d[0] = 5; printf("%d\n", d[0]); } // alloc: bad_arr; leak: bad_arr
void good_arr() { int *d = new int[100]; d[0] = 5; printf("%d\n", d[0]); delete[] d; }
static void sink_ref(Two *&d) { print(d); }
static void gsink_ref(Two *&d) { delete d; }
void bad_ref() { Two *d = new Two; sink_ref(d); } // alloc: bad_ref; leak: bad_ref
void good_ref() { Two *d = new Two; gsink_ref(d); }
class Base { public: virtual void action(Two *d) const = 0; virtual ~Base() {} };
class Bad : public Base { public: void action(Two *d) const override { print(d); } };
class Good : public Base { public: void action(Two *d) const override { delete d; } };
void bad81() { Two *d = new Two; const Base &b = Bad(); b.action(d); } // alloc: bad81; leak-missed: bad81
void good81() { Two *d = new Two; const Base &b = Good(); b.action(d); }
class Holder { public: Two *d; Holder(Two *p) : d(p) { d = new Two; d->a = 1; } ~Holder() {} };
class GoodHolder { public: Two *d; GoodHolder(Two *p) : d(p) { d = new Two; d->a = 1; } ~GoodHolder() { delete d; } };
void bad83() { Two *d = nullptr; Holder h(d); } // alloc: bad83; leak: bad83
void good83() { Two *d = nullptr; GoodHolder h(d); }
void bad84() { Two *d = nullptr; Holder *h = new Holder(d); delete h; } // alloc: bad84; leak: bad84
void good84() { Two *d = nullptr; GoodHolder *h = new GoodHolder(d); delete h; }
void good_vec() { std::vector<int> v; v.push_back(3); std::string s("abc"); printf("%s %zu\n", s.c_str(), v.size()); }
void good_smart() { auto p = std::make_unique<Two>(); auto q = std::make_shared<Two>(); p->a = q->b; std::map<int, std::string> m; m[1] = "x"; }
static void sink72(std::vector<Two *> v) { Two *d = v[2]; print(d); }
void bad72() { Two *d = new Two; std::vector<Two *> v; v.insert(v.end(), 3, d); sink72(v); } // alloc: bad72; leak-missed: bad72
int main() { bad_new(); good_new(); bad_arr(); good_arr(); bad_ref(); good_ref(); bad81(); good81(); bad83(); good83(); bad84(); good84(); good_vec(); good_smart(); bad72(); }
// limit-missed: in a container of the C++ library; given to a virtual function that does nothing
