// Where nobody can say which function is called, nothing is reported: too many
// of them, one from outside the program.
#include <signal.h>
#include <stdlib.h>

typedef void (*action)(char *);

static void f1(char *p) { p[0] = 1; }
static void f2(char *p) { p[0] = 2; }
static void f3(char *p) { p[0] = 3; }
static void f4(char *p) { p[0] = 4; }
static void f5(char *p) { p[0] = 5; }
static void f6(char *p) { p[0] = 6; }
static void f7(char *p) { p[0] = 7; }
static void f8(char *p) { p[0] = 8; }
static void f9(char *p) { free(p); }

static const action many[] = {f1, f2, f3, f4, f5, f6, f7, f8, f9};

static void one_of_nine(int i)
{
    char *p = malloc(4); // alloc: many
    if (!p)
        return;
    many[i % 9](p);
} // leak-missed: many

static void one_of_nine_released(int i)
{
    char *p = malloc(4);
    if (!p)
        return;
    many[i % 9](p);
    if (i % 9 != 8)
        free(p);
}

static void from_outside(void)
{
    char *p = malloc(4);
    if (!p)
        return;
    void (*old)(int) = signal(SIGINT, SIG_DFL);
    if (old != SIG_DFL && old != SIG_IGN && old != SIG_ERR)
        ((action)old)(p);
    else
        free(p);
}

int main(int argc, char **argv)
{
    (void)argv;
    one_of_nine(argc);
    one_of_nine_released(8);
    from_outside();
    return 0;
}
// limit-missed: given to a call through a pointer that may lead to more than eight functions
