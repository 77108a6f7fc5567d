// Exceptions of the program's own that leave a function.
#include <cstdio>
#include <stdexcept>

static void check(int v)
{
    if (v < 0)
        throw std::invalid_argument("negative");
}

int skips_delete(int v)
{
    int *buf = new int[8]; // alloc: buf
    buf[7] = v;
    check(v); // leak: buf "forgotten"
    int r = buf[7];
    delete[] buf;
    return r;
}

// Behind another function, which lets it out.
static void check_twice(int v)
{
    check(v);
    check(v + 1);
}

int skips_delete_below(int v)
{
    int *p = new int(v); // alloc: below
    check_twice(v); // leak: below
    delete p;
    return 0;
}

// Caught on the way, or not thrown at all.
static int checked(int v)
{
    try {
        check(v);
    } catch (const std::exception &) {
        return -1;
    }
    return 0;
}
static void quiet(int v) noexcept { std::printf("%d\n", v); }

int nothing_leaves(int v)
{
    int *p = new int(v);
    quiet(checked(v));
    delete p;
    return 0;
}

// A destructor releases it.
struct Owner {
    int *p;
    explicit Owner(int v) : p(new int(v)) {}
    ~Owner() { delete p; }
};

int owned(int v)
{
    Owner o(v);
    check(v);
    return *o.p;
}

// The function catches it itself.
int catches(int v)
{
    int *p = new int(v);
    try {
        check(v);
    } catch (const std::exception &) {
        delete p;
        return -1;
    }
    delete p;
    return 0;
}

// Thrown by the function itself.
int throws_itself(int v)
{
    int *p = new int(v); // alloc: itself
    if (v < 0)
        throw std::runtime_error("negative"); // leak: itself "forgotten"
    delete p;
    return 0;
}

int throws_after_release(int v)
{
    int *p = new int(v);
    if (v < 0) {
        delete p;
        throw 1;
    }
    delete p;
    return 0;
}

int catches_itself(int v)
{
    int *p = new int(v);
    try {
        if (v < 0)
            throw 1;
    } catch (int) {
    }
    delete p;
    return 0;
}
