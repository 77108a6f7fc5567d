// A library function gives the same answer twice: what is allocated under it is
// freed under it. Inline, its answer can be seen to be the same.
// paper: SMOKE, figure 11 (blender): no leak; SMOKE reports one, for lack of the function's specification
#include <unistd.h>

struct Matrix {
    bool packed;
    int cols;
    const int *ends;
    bool isPacked() const { return packed; }
};

static int sum(const Matrix &m)
{
    const int *ends;
    if (m.isPacked())
        ends = new int[m.cols]{}; // alloc: packed
    else
        ends = m.ends;
    int total = 0;
    for (int i = 0; i < m.cols; i++)
        total += ends[i];
    if (m.isPacked())
        delete[] ends;
    return total;
}

static int width(const Matrix &m)
{
    const int *ends;
    if (isatty(0))
        ends = new int[m.cols]{}; // alloc: ends
    else
        ends = m.ends;
    int last = ends[m.cols - 1];
    if (isatty(0))
        delete[] ends;
    return last; // leak-false: ends
}

static int forgets(const Matrix &m)
{
    const int *ends;
    if (m.isPacked())
        ends = new int[m.cols]{}; // alloc: forgotten
    else
        ends = m.ends;
    int last = ends[m.cols - 1];
    if (!m.isPacked())
        return 0;
    return last; // leak: forgotten
}

int main()
{
    static const int fixed[3] = {1, 2, 3};
    Matrix a{true, 3, fixed}, b{false, 3, fixed};
    sum(a);
    sum(b);
    width(a);
    forgets(a);
    return 0;
}
// limit-false: a method or a library function is asked twice and answers the same
