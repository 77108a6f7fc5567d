// Memory, errors behind an argument, lists, strings that are released in two ways,
// references.
#include <stddef.h>

typedef struct { int domain, code; char *message; } GError;
typedef struct { char *str; size_t len, allocated; } GString;
typedef struct list { void *data; struct list *next, *prev; } GList;
typedef struct { char *path; int n; } thing;
void *g_malloc(size_t n);
void *g_malloc0_n(size_t n, size_t size);
char *g_strdup(const char *s);
char *g_strdup_printf(const char *f, ...);
char **g_strsplit(const char *s, const char *sep, int n);
void g_strfreev(char **v);
void g_free(void *p);
int g_file_get_contents(const char *path, char **out, size_t *n, GError **err);
void g_set_error(GError **err, int domain, int code, const char *f, ...);
void g_propagate_error(GError **err, GError *e);
void g_error_free(GError *e);
void g_clear_error(GError **err);
GList *g_list_append(GList *l, void *p);
GList *g_list_prepend(GList *l, void *p);
void g_list_free(GList *l);
void g_list_free_full(GList *l, void (*f)(void *));
GString *g_string_new(const char *s);
GString *g_string_append(GString *s, const char *t);
char *g_string_free(GString *s, int all);
void *g_object_new(unsigned long type, const char *first, ...);
void *g_object_ref(void *o);
void g_object_unref(void *o);
void g_print(const char *f, ...);

int text_leaky(const char *s)
{
    char *t = g_strdup_printf("%s!", s); // alloc: text
    if (!*s)
        return -1; // leak: text
    g_print("%s", t);
    g_free(t);
    return 0;
}

int words_leaky(const char *s)
{
    char **v = g_strsplit(s, ",", 0); // alloc: words
    g_print("%s", v[0]);
    return 0; // leak: words
}

int words_clean(const char *s)
{
    char **v = g_strsplit(s, ",", 0);
    g_print("%s", v[0]);
    g_strfreev(v);
    return 0;
}

int read_leaky(const char *path)
{
    char *text;
    GError *err = NULL;
    if (!g_file_get_contents(path, &text, NULL, &err)) { // alloc: read
        g_print("%s", err->message);
        return -1; // leak: read "error opened by g_file_get_contents and held by 'err'"
    }
    g_free(text);
    return 0;
}

int read_clean(const char *path)
{
    char *text;
    GError *err = NULL;
    if (!g_file_get_contents(path, &text, NULL, &err)) {
        g_print("%s", err->message);
        g_clear_error(&err);
        return -1;
    }
    g_free(text);
    return 0;
}

// No error is made where none is wanted.
int read_without_error_clean(const char *path)
{
    char *text;
    if (!g_file_get_contents(path, &text, NULL, NULL))
        return -1;
    g_free(text);
    return 0;
}

static int check(int n, GError **err)
{
    if (n < 0) {
        g_set_error(err, 1, 2, "%d", n);
        return 0;
    }
    return 1;
}

int check_leaky(int n)
{
    GError *err = NULL;
    if (!check(n, &err)) // alloc: checked
        return -1; // leak: checked
    return 0;
}

int check_clean(int n, GError **out)
{
    GError *err = NULL;
    if (!check(n, &err)) {
        g_propagate_error(out, err);
        return -1;
    }
    return 0;
}

int list_leaky(void *a, void *b)
{
    GList *l = g_list_append(NULL, a); // alloc: list
    l = g_list_append(l, b);
    if (l->data == b)
        return 1; // leak: list
    g_list_free(l);
    return 0;
}

int list_clean(const char *s)
{
    GList *l = NULL;
    l = g_list_prepend(l, g_strdup(s));
    l = g_list_prepend(l, g_strdup(s));
    g_list_append(l, g_strdup(s));
    g_list_free_full(l, g_free);
    return 0;
}

char *string_clean(const char *t)
{
    GString *s = g_string_new(t);
    g_string_append(s, "!");
    if (s->len > 80) {
        g_string_free(s, 1);
        return NULL;
    }
    return g_string_free(s, 0);
}

size_t string_leaky(const char *t)
{
    GString *s = g_string_new(t); // alloc: string
    g_string_append(s, "!");
    if (s->len > 80)
        return 80; // leak: string
    size_t n = s->len;
    char *text = g_string_free(s, 0); // alloc: data
    g_print("%s", text);
    return n; // leak: data
}

int object_leaky(int n)
{
    void *o = g_object_new(8, NULL); // alloc: object
    if (n)
        return -1; // leak: object
    g_object_unref(o);
    return 0;
}

// Someone else has the second reference.
void *object_clean(void **last)
{
    void *o = g_object_new(8, NULL);
    *last = g_object_ref(o);
    return o;
}
