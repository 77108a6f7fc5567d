// Words in an array that ends with null, as argv does. Leaky: only the array is
// freed; the words before a failure are forgotten; the walk moves the only
// pointer to the array.
#include <stdlib.h>
#include <string.h>

static char *word(const char *s, size_t n)
{
    char *w = malloc(n + 1);
    if (!w)
        abort();
    memcpy(w, s, n);
    w[n] = 0;
    return w;
}

static void free_words(char **v)
{
    for (char **p = v; *p; p++)
        free(*p);
    free(v);
}

static char **split(const char *s)
{
    char **v = calloc(strlen(s) + 2, sizeof *v);
    int n = 0;
    if (!v)
        abort();
    while (*s) {
        size_t len = strcspn(s, " ");
        if (s[0] == '!') {
            free_words(v);
            return NULL;
        }
        v[n++] = word(s, len); // alloc: word
        s += len;
        s += strspn(s, " ");
    }
    return v;
}

static char **split_badly(const char *s)
{
    char **v = calloc(strlen(s) + 2, sizeof *v); // alloc: failed
    int n = 0;
    if (!v)
        abort();
    while (*s) {
        size_t len = strcspn(s, " ");
        if (s[0] == '!')
            return NULL; // leak: failed
        v[n++] = word(s, len);
        s += len;
        s += strspn(s, " ");
    }
    return v;
}

static void moves(void)
{
    char **v = split("a b"); // alloc: moved
    if (!v)
        return;
    while (*v)
        free(*v++);
} // leak: moved

static void shallow(void)
{
    char **v = split("a b");
    free(v); // leak: word
}

int main(void)
{
    static const char *const lines[] = { "a b", "a !", "!" };
    for (int i = 0; i < 3; i++) {
        char **v = split(lines[i]);
        if (v)
            free_words(v);
    }
    for (int i = 0; i < 3; i += 2) {
        char **v = split_badly(lines[i]);
        if (v)
            free_words(v);
    }
    moves();
    shallow();
    return 0;
}
