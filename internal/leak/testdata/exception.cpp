// Exceptions that leave the function are no leaks; those that are caught are.
#include <cstdio>
#include <string>

void may_throw();

void leaves(FILE *f, int n)
{
    std::string s(n, 'x');
    for (int i = 0; i < n; i++) {
        char *p = new char[n];
        fputs(s.c_str(), f);
        may_throw();
        delete[] p;
    }
}

int caught(int n)
{
    char *p = new char[n]; // alloc: caught
    try {
        may_throw();
    } catch (...) {
        return 1;
    } // leak: caught
    delete[] p;
    return 0;
}
