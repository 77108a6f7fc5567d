// Memory that library functions leave in out-parameters.
#define _GNU_SOURCE
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int message_lost(int n)
{
    char *msg;
    if (asprintf(&msg, "%d", n) < 0) // alloc: msg
        return -1;
    puts(msg);
    return 0; // leak: msg "'msg' is forgotten"
}

int message_failed_is_none(int n)
{
    char *msg;
    if (asprintf(&msg, "%d", n) < 0)
        return -1;
    puts(msg);
    free(msg);
    return 0;
}

int message_twice(int n)
{
    char *msg;
    if (asprintf(&msg, "%d", n) < 0) // alloc: twice
        return -1;
    if (asprintf(&msg, "%x", n) < 0) // leak: twice "lost"
        return -1;
    free(msg);
    return 0;
}

// getline uses its buffer again.
long lines_forgotten(FILE *f)
{
    char *line = NULL;
    size_t cap = 0;
    long n = 0;
    while (getline(&line, &cap, f) != -1) // alloc: line
        n++;
    return n; // leak: line
}

long lines_freed(FILE *f)
{
    char *line = NULL;
    size_t cap = 0;
    long n = 0;
    while (getline(&line, &cap, f) != -1)
        n++;
    free(line);
    return n;
}

int resolve(const char *host)
{
    struct addrinfo *list;
    if (getaddrinfo(host, NULL, NULL, &list) != 0) // alloc: addr
        return -1;
    if (!list->ai_next)
        return 1; // leak: addr
    freeaddrinfo(list);
    return 0;
}

int aligned(void)
{
    void *p;
    if (posix_memalign(&p, 64, 256) != 0)
        return -1;
    memset(p, 0, 256);
    free(p);
    return 0;
}

// The stream and the text it leaves.
int memstream(void)
{
    char *text;
    size_t n;
    FILE *f = open_memstream(&text, &n); // alloc: text
    if (!f)
        return -1;
    fputs("x", f);
    fclose(f);
    return 0; // leak: text
}

// realpath and getcwd allocate when they are given no buffer.
int paths(const char *p)
{
    char buf[4096];
    char *own = realpath(p, NULL); // alloc: own
    if (!own)
        return -1;
    if (realpath(p, buf))
        puts(buf);
    return 0; // leak: own
}

// What is not memory is called by its name.
int stream_forgotten(const char *path)
{
    FILE *f = fopen(path, "r"); // alloc: stream
    if (!f)
        return -1;
    return fgetc(f); // leak: stream "^stream opened by fopen and held by 'f' is forgotten"
}
