// Functions that call one another hand out what one of them makes, store it, or give
// it back: a small parser, with an error path that frees and one that does not.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tree { char op; struct tree *left, *right; };

static struct tree *expression(const char **s);
static struct tree *expression_badly(const char **s);

static struct tree *leaf(char op)
{
    struct tree *t = calloc(1, sizeof *t);
    if (!t)
        abort();
    t->op = op;
    return t;
}

static void tree_free(struct tree *t)
{
    if (!t)
        return;
    tree_free(t->left);
    tree_free(t->right);
    free(t);
}

static struct tree *term(const char **s)
{
    struct tree *t;
    if (**s != '(')
        return **s ? leaf(*(*s)++) : NULL;
    ++*s;
    if (!(t = expression(s)))
        return NULL;
    if (**s != ')') {
        tree_free(t);
        return NULL;
    }
    ++*s;
    return t;
}

static struct tree *expression(const char **s)
{
    struct tree *t = term(s), *sum;
    if (!t || **s != '+')
        return t;
    sum = leaf(*(*s)++);
    sum->left = t;
    if (!(sum->right = expression(s))) {
        tree_free(sum);
        return NULL;
    }
    return sum;
}

static struct tree *term_badly(const char **s)
{
    struct tree *t;
    if (**s != '(')
        return **s ? leaf(*(*s)++) : NULL;
    ++*s;
    if (!(t = expression_badly(s))) // alloc: inner
        return NULL;
    if (**s != ')')
        return NULL; // leak: inner
    ++*s;
    return t;
}

static struct tree *expression_badly(const char **s) { return term_badly(s); }

// The first that is not empty, or a new one.
static char *first(char **list, int n)
{
    if (n == 0)
        return strdup("none");
    return list[0][0] ? list[0] : first(list + 1, n - 1);
}

static char *kept;

// Keeps what it is given in the last turn.
static void put(char *p, int turns)
{
    if (turns == 0)
        kept = p;
    else
        put(p, turns - 1);
}

// Leaves a block in the last turn.
static int find(char **out, int turns)
{
    if (turns == 0)
        return (*out = strdup("found")) ? 0 : -1;
    return find(out, turns - 1);
}

static int found(void)
{
    char *p;
    int c;
    if (find(&p, 3) < 0)
        return -1;
    c = p[0];
    free(p);
    return c;
}

static int found_badly(void)
{
    char *p;
    if (find(&p, 3) < 0) // alloc: found
        return -1;
    return p[0]; // leak: found
}

int main(void)
{
    const char *good = "(a+b)+c", *bad = "(a+b", *worse = "(a";
    char *names[] = { "", "x" };
    tree_free(expression(&good));
    tree_free(expression(&bad));
    tree_free(expression_badly(&worse));
    puts(first(names, 2));
    put(strdup("kept"), 2);
    free(kept);
    return found() + found_badly() == 0;
}
