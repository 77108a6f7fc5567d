// Objects that pass through functions of the program.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void die(const char *why)
{
    fputs(why, stderr);
    exit(1);
}

// An allocator that never fails: no path has it null.
static void *xmalloc(size_t n)
{
    void *p = malloc(n);
    if (!p)
        die("out of memory");
    return p;
}

static void look(const char *s) { puts(s); }

int only_looked_at(int n)
{
    char *p = xmalloc(n); // alloc: looked
    look(p);
    return 0; // leak: looked "allocated by xmalloc"
}

// A deallocator, behind two calls.
static void drop(void *p) { free(p); }
static void drop_all(void *p)
{
    if (p)
        drop(p);
}

int released_by_wrapper(int n)
{
    char *p = xmalloc(n);
    look(p);
    drop_all(p);
    return 0;
}

// Kept on success only.
struct queue { char *items[4]; int n; };
static int push(struct queue *q, char *p)
{
    if (q->n == 4)
        return -1;
    q->items[q->n++] = p;
    return 0;
}

int drops_when_full(struct queue *q)
{
    char *p = xmalloc(8); // alloc: full
    if (push(q, p) < 0)
        return -1; // leak: full
    return 0;
}

int frees_when_full(struct queue *q)
{
    char *p = xmalloc(8);
    if (push(q, p) < 0) {
        free(p);
        return -1;
    }
    return 0;
}

// A caller that does not look at the result relies on success.
void presumes_success(struct queue *q) { push(q, xmalloc(8)); }

// An out-parameter, set when 0 is returned.
static int load(int n, char **out)
{
    *out = NULL;
    if (n < 0)
        return -1;
    *out = malloc(n);
    if (!*out)
        return -2;
    return 0;
}

int loads_well(int n)
{
    char *s;
    if (load(n, &s) != 0)
        return -1;
    look(s);
    free(s);
    return 0;
}

int loads_badly(int n)
{
    char *s;
    if (load(n, &s) != 0) // alloc: loaded
        return -1;
    if (s[0] == 'x')
        return 1; // leak: loaded "held by 's'"
    free(s);
    return 0;
}

// A field of a new object.
struct user { char *name; int age; };
static struct user *user_new(const char *name)
{
    struct user *u = malloc(sizeof *u);
    if (!u)
        return NULL;
    u->name = strdup(name);
    if (!u->name) {
        free(u);
        return NULL;
    }
    return u;
}

static void user_free(struct user *u)
{
    if (!u)
        return;
    free(u->name);
    free(u);
}

int forgets_field(void)
{
    struct user *u = user_new("ann"); // alloc: field
    if (!u)
        return -1;
    look(u->name);
    free(u); // leak: field "u->name"
    return 0;
}

int frees_field(void)
{
    struct user *u = user_new("ann");
    if (!u)
        return -1;
    look(u->name);
    user_free(u);
    return 0;
}

// A field that is overwritten by a callee.
static void rename_badly(struct user *u, char *name) { u->name = name; } // leak: renamed "lost"
static void rename_well(struct user *u, char *name)
{
    free(u->name);
    u->name = name;
}

int renames(void)
{
    struct user *u = user_new("ann"); // alloc: renamed
    if (!u)
        return -1;
    rename_badly(u, xmalloc(4));
    rename_well(u, xmalloc(4));
    user_free(u);
    return 0;
}

// A release that an argument decides.
static void release_if(char *p, int really)
{
    if (really)
        free(p);
}

int told_not_to(void)
{
    char *p = xmalloc(4); // alloc: told
    release_if(p, 0);
    return 0; // leak: told
}

int told_to(void)
{
    char *p = xmalloc(4);
    release_if(p, 1);
    return 0;
}

// A reference count: giving up a reference is a release.
struct shared { int refs; char *text; };
static void put(struct shared *s)
{
    if (--s->refs == 0) {
        free(s->text);
        free(s);
    }
}

int counts(void)
{
    struct shared *s = xmalloc(sizeof *s);
    s->refs = 1;
    s->text = xmalloc(4);
    put(s);
    return 0;
}

// Recursion.
struct node { struct node *next; };
static void free_list(struct node *n)
{
    if (!n)
        return;
    free_list(n->next);
    free(n);
}

static struct node *prepend(struct node *next)
{
    struct node *n = xmalloc(sizeof *n);
    n->next = next;
    return n;
}

int builds_and_frees(void)
{
    struct node *l = prepend(prepend(NULL));
    free_list(l);
    return 0;
}

int frees_first_only(void)
{
    struct node *l = prepend(prepend(NULL)); // alloc: second
    free(l); // leak: second "l->next"
    return 0;
}

// On the way to a call that does not return, nothing is lost.
static void check(int ok)
{
    if (!ok)
        die("broken");
}

int traps(struct queue *q, int n)
{
    char *p = xmalloc(4);
    int at = n;
    if (__builtin_add_overflow(n, 1, &at))
        __builtin_trap();
    check(at > 0);
    q->items[at & 3] = p;
    return 0;
}
