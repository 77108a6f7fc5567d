// Shapes behind a base class: virtual destructors release what the derived class
// owns; a factory hands out new ones; a tree of them is freed by its destructor.
// Leaky: the result of the factory is forgotten, a part is not the tree's.
#include <cstddef>

struct Shape {
    virtual ~Shape() {}
    virtual double area() const = 0;
};
struct Circle : Shape {
    double *r;
    explicit Circle(double x) : r(new double(x)) {}
    ~Circle() override { delete r; }
    double area() const override { return 3 * *r * *r; }
};
struct Group : Shape {
    Shape *part[2] = {nullptr, nullptr};
    ~Group() override
    {
        delete part[0];
        delete part[1];
    }
    double area() const override { return part[0]->area() + part[1]->area(); }
};

static Shape *make(int kind)
{
    if (kind == 0)
        return nullptr;
    return new Circle(kind);
}

static double well()
{
    Group g;
    g.part[0] = make(1);
    g.part[1] = new Circle(2);
    double a = g.area();
    Shape *s = make(3);
    if (!s)
        return 0;
    a += s->area();
    delete s;
    return a;
}

static double forgets(int kind)
{
    Shape *s = make(kind); // alloc: shape
    if (!s)
        return 0;
    double a = s->area();
    if (a > 10)
        return -1; // leak: shape
    delete s;
    return a;
}

static double replaces()
{
    Group g;
    g.part[0] = new Circle(1); // alloc: part
    g.part[0] = new Circle(2); // leak: part
    g.part[1] = new Circle(3);
    return g.area();
}

int main()
{
    well();
    forgets(0);
    forgets(1);
    forgets(5);
    replaces();
    return 0;
}
