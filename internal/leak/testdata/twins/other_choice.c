// As idiom_same_or_null.c, but something else chooses between the pointer and NULL.
#include <stdlib.h>
#include <string.h>

struct url { char *name; int scheme; };
int more(int);
int loop(struct url *u, char **newloc, char **local_file, const char *doc, int *dt)
{
    if (local_file && doc) {
        *local_file = strcmp(doc, "-") == 0 ? NULL : strdup(doc);
    }
    *newloc = NULL;
    *dt = more(u->scheme);
    return more(*dt);
}
void record(const char *, const char *);

int retrieve(struct url *u, char **file, const char *doc, int *dt)
{
    char *mynewloc, *local_file = NULL;
    int result;

    if (file)
        *file = NULL;
    result = loop(u, &mynewloc, &local_file, doc, dt); // alloc: o0
    free(mynewloc);
    if (local_file && u && (*dt & 2))
        record(u->name, local_file);
    if (file)
        *file = *dt & 1 ? local_file : NULL;
    else
        free(local_file);
    return result; // leak: o0
}

int more(int i) { return i * 2; }
void record(const char *a, const char *b) { (void)a; (void)b; }
int main(int argc, char **argv)
{
    struct url u = { argv[0], argc };
    char *file = NULL;
    int dt, r;
    r = retrieve(&u, &file, argv[0], &dt);
    free(file);
    retrieve(&u, NULL, argv[0], &dt);
    return r < 0;
}
