// A function tells by the struct it returns whether it left anything new with its
// caller, and the caller asks that.
#include <cstdlib>
#include <cstring>

struct Status {
    Status(const char *why) : state(nullptr) { if (why) std::strncpy(text, why, sizeof text - 1), state = text; }
    Status(const Status &s) : state(nullptr) { if (s.state) std::strcpy(text, s.text), state = text; }
    bool ok() const { return state == nullptr; }
    char *state;
    char text[16] = {};
};

struct Slice { char *data; std::size_t size; };
struct Contents { Slice slice; bool cached; };

__attribute__((noinline)) static Status read(int n, Contents *c)
{
    c->slice = Slice();
    c->cached = false;
    if (n < 0)
        return Status("none");
    char *buf = static_cast<char *>(std::malloc(n + 1));
    if (!buf)
        return Status("memory");
    c->slice = Slice{buf, std::size_t(n)};
    return Status(nullptr);
}

static int reads(int n)
{
    Contents c;
    if (!read(n, &c).ok())
        return -1;
    std::free(c.slice.data);
    return 0;
}

static int reads_and_forgets(int n)
{
    Contents c;
    Status s = read(n, &c); // alloc: forgotten
    if (!s.ok())
        return -1;
    return c.cached ? 1 : 0; // leak-missed: forgotten
}

int main()
{
    reads(-1);
    reads(1);
    return reads_and_forgets(1) > 1;
}
// limit-missed: in what a parameter points to, by a function that returns a struct
