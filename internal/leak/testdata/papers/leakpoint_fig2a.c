// A global stack of spellings is set aside and put back; what took its place in
// between is not freed.
// paper: LeakPoint, figure 2a (gcc): leak, lost where the global is overwritten
#include <stdlib.h>

struct saved { char *spelling; };
static char *spelling;

static void push(void)
{
    if (!spelling)
        spelling = malloc(16); // alloc: spelling
    if (!spelling)
        abort();
    spelling[0] = 's';
}

static void begin(struct saved *s)
{
    s->spelling = spelling;
    spelling = NULL;
}

static void finish(struct saved *s)
{
    spelling = s->spelling; // leak-missed: spelling
}

static void finish_well(struct saved *s)
{
    free(spelling);
    spelling = s->spelling;
}

static void initialiser(void (*end)(struct saved *))
{
    struct saved outer;
    push();
    begin(&outer);
    push();
    end(&outer);
}

int main(void)
{
    initialiser(finish_well);
    initialiser(finish);
    free(spelling);
    spelling = NULL;
    return 0;
}
// limit-missed: in a global that is set aside in a struct and put back
