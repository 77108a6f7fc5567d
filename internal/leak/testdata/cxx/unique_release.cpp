// What a smart pointer lets go of is the caller's.
#include <memory>

struct node { int v; };

int dropped(int v)
{
    std::unique_ptr<node> p(new node{v}); // alloc: dropped
    int r = p->v;
    p.release(); // leak-missed: dropped
    return r;
}

int taken(int v)
{
    std::unique_ptr<node> p(new node{v});
    node *n = p.release();
    int r = n->v;
    delete n;
    return r;
}

int owned(int v)
{
    std::unique_ptr<node> p(new node{v});
    return p->v;
}

int main() { return dropped(1) + taken(2) + owned(3) == 6 ? 0 : 1; }
// limit-missed: let go by a smart pointer of the C++ library
