// Making a struct of three parts fails at any of them, and what there is so far
// is released: part by part, by one function, or step by step under labels.
// Leaky: one step releases too little.
#include <stdlib.h>
#include <string.h>

struct session { char *host; char *user; int *keys; };

static char *need(const char *s) { return s[0] ? strdup(s) : NULL; }

static void session_clear(struct session *s)
{
    free(s->host);
    free(s->user);
    free(s->keys);
}

static int init_steps(struct session *s, const char *host, const char *user, int n)
{
    s->host = need(host);
    if (!s->host)
        return -1;
    s->user = need(user);
    if (!s->user) {
        free(s->host);
        return -1;
    }
    s->keys = n > 0 ? calloc((size_t)n, sizeof *s->keys) : NULL;
    if (!s->keys) {
        free(s->user);
        free(s->host);
        return -1;
    }
    return 0;
}

static int init_clear(struct session *s, const char *host, const char *user, int n)
{
    memset(s, 0, sizeof *s);
    s->host = need(host);
    s->user = need(user);
    s->keys = n > 0 ? calloc((size_t)n, sizeof *s->keys) : NULL;
    if (!s->host || !s->user || !s->keys) {
        session_clear(s);
        memset(s, 0, sizeof *s);
        return -1;
    }
    return 0;
}

static int init_badly(struct session *s, const char *host, const char *user, int n)
{
    s->host = need(host);
    if (!s->host)
        return -1;
    s->user = need(user); // alloc: user
    if (!s->user) {
        free(s->host);
        return -1;
    }
    s->keys = n > 0 ? calloc((size_t)n, sizeof *s->keys) : NULL;
    if (!s->keys) {
        free(s->host);
        s->host = s->user = NULL; // leak: user
        return -1;
    }
    return 0;
}

static int try(int (*init)(struct session *, const char *, const char *, int), const char *host, const char *user, int n)
{
    struct session s;
    if (init(&s, host, user, n) < 0)
        return -1;
    session_clear(&s);
    return 0;
}

static int forgets(void)
{
    struct session s;
    if (init_steps(&s, "h", "u", 1) < 0) // alloc: keys
        return -1;
    free(s.host);
    free(s.user);
    return 0; // leak: keys "s.keys"
}

int main(void)
{
    try(init_steps, "h", "u", 1);
    try(init_steps, "h", "u", 0);
    try(init_steps, "h", "", 1);
    try(init_clear, "h", "u", 1);
    try(init_clear, "", "u", 1);
    try(init_clear, "h", "u", 0);
    try(init_badly, "h", "u", 1);
    try(init_badly, "h", "u", 0);
    forgets();
    return 0;
}
