// new and delete of plain types.
#include <new>

int early(int n)
{
    int *p = new int[n]; // alloc: array
    if (n > 3)
        return 1; // leak: array "memory allocated by operator new\\[\\] and held by 'p'"
    delete[] p;
    return 0;
}

int single(int n)
{
    int *p = new int(n); // alloc: single
    int r = *p;
    if (r > 2)
        delete p;
    return r; // leak: single
}

int tried(int n)
{
    int *p = new (std::nothrow) int[n];
    if (!p)
        return 1;
    delete[] p;
    return 0;
}
