// What is not memory, or fails with something else than null.
#define _GNU_SOURCE
#include <argz.h>
#include <dirent.h>
#include <iconv.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int convert_leaky(char *in, size_t n)
{
    char out[16], *o = out;
    size_t left = sizeof out;
    iconv_t c = iconv_open("UTF-8", "LATIN1"); // alloc: converter
    if (c == (iconv_t)-1)
        return -1;
    if (iconv(c, &in, &n, &o, &left) == (size_t)-1)
        return -2; // leak: converter "converter opened by iconv_open"
    iconv_close(c);
    return 0;
}

int convert_clean(char *in, size_t n)
{
    char out[16], *o = out;
    size_t left = sizeof out;
    iconv_t c = iconv_open("UTF-8", "LATIN1");
    if (c == (iconv_t)-1)
        return -1;
    size_t r = iconv(c, &in, &n, &o, &left);
    iconv_close(c);
    return r == 0;
}

// The buffer is still the caller's after iconv has moved a copy of the pointer.
int convert_buffer_leaky(void)
{
    iconv_t c = iconv_open("UTF-8", "LATIN1");
    if (c == (iconv_t)-1)
        return -1;
    char in[] = "a", *i = in;
    size_t n = 1, left = 16;
    char *out = malloc(16); // alloc: buffer
    char *o = out;
    if (!out) {
        iconv_close(c);
        return -1;
    }
    iconv(c, &i, &n, &o, &left);
    iconv_close(c);
    return 0; // leak: buffer
}

int map_leaky(int n)
{
    char *p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); // alloc: mapping; not-run: mapping
    if (p == MAP_FAILED)
        return -1;
    if (n)
        return p[0]; // leak: mapping "mapping opened by mmap"
    munmap(p, 4096);
    return 0;
}

int map_clean(int n)
{
    char *p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return -1;
    n = p[0];
    munmap(p, 4096);
    return n;
}

int locale_leaky(int n)
{
    locale_t l = newlocale(LC_ALL_MASK, "C.UTF-8", 0); // alloc: locale
    if (!l)
        return -1;
    if (n)
        return -2; // leak: locale
    freelocale(l);
    return 0;
}

// A locale is used up by one that is made of it.
int locale_clean(void)
{
    locale_t l = newlocale(LC_CTYPE_MASK, "C.UTF-8", 0);
    if (!l)
        return -1;
    locale_t m = newlocale(LC_NUMERIC_MASK, "C", l);
    if (!m) {
        freelocale(l);
        return -1;
    }
    freelocale(m);
    return 0;
}

int entries_leaky(void)
{
    struct dirent **list;
    int n = scandir("/", &list, NULL, alphasort); // alloc: entries
    if (n < 0)
        return -1;
    for (int i = 0; i < n; i++)
        free(list[i]);
    return 0; // leak: entries
}

int entries_clean(void)
{
    struct dirent **list;
    int n = scandir("/", &list, NULL, alphasort);
    if (n < 0)
        return -1;
    for (int i = 0; i < n; i++)
        free(list[i]);
    free(list);
    return 0;
}

int words_leaky(void)
{
    char *argz;
    size_t n;
    if (argz_create_sep("a:b", ':', &argz, &n)) // alloc: words
        return -1;
    return n; // leak: words
}

int words_clean(void)
{
    char *argz;
    size_t n;
    if (argz_create_sep("a:b", ':', &argz, &n))
        return -1;
    if (argz_add(&argz, &n, "c")) {
        free(argz);
        return -1;
    }
    free(argz);
    return n;
}

// For valgrind it is fclose that allocates, so this is not run.
int text_leaky(void)
{
    char *text;
    size_t n;
    FILE *f = open_memstream(&text, &n); // alloc: text; not-run: text
    if (!f)
        return -1;
    fputs("a", f);
    fclose(f);
    return n; // leak: text
}

int text_clean(void)
{
    char *text;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    if (!f)
        return -1;
    fputs("a", f);
    fclose(f);
    free(text);
    return n;
}

int environment_leaky(int n)
{
    char *s = strdup("A=b"); // alloc: unset
    if (!s)
        return -1;
    if (n)
        return -2; // leak: unset
    return putenv(s);
}

static char *last;

int environment_clean(void)
{
    char *s = strdup("C=d");
    if (!s)
        return -1;
    if (putenv(s)) {
        free(s);
        return -2;
    }
    last = s; // when the program ends, the environment is gone first
    return 0;
}

int main(void)
{
    char in[] = "a";
    char bad[64];
    memset(bad, 'a', sizeof bad);
    convert_leaky(bad, sizeof bad);
    convert_leaky(in, 1);
    convert_clean(in, 1);
    convert_buffer_leaky();
    map_leaky(1);
    map_clean(1);
    locale_leaky(1);
    locale_clean();
    entries_leaky();
    entries_clean();
    words_leaky();
    words_clean();
    text_clean();
    environment_leaky(1);
    environment_clean();
    return 0;
}
