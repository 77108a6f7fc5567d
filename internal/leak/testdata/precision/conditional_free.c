// A callee frees its argument on one path: neither always nor never.
#include <stdlib.h>
#include <string.h>

struct queue { char *item[2]; int n; };

// Takes the item, or says that it did not.
static int put(struct queue *q, char *s)
{
    if (q->n == 2)
        return -1;
    q->item[q->n++] = s;
    return 0;
}

// Frees the item if it fails.
static int send(char *s)
{
    if (s[0] == '!') {
        free(s);
        return -1;
    }
    return 0;
}

// Frees the item if it succeeds.
static int consume(char *s)
{
    if (s[0] == '!')
        return -1;
    free(s);
    return 0;
}

static void empty(struct queue *q)
{
    while (q->n > 0)
        free(q->item[--q->n]);
}

static char *make(const char *s)
{
    char *p = strdup(s);
    if (!p)
        abort();
    return p;
}

static void puts_well(struct queue *q)
{
    char *s = make("a");
    if (put(q, s) != 0)
        free(s);
}

static void puts_badly(struct queue *q)
{
    char *s = make("a"); // alloc: put
    put(q, s);
} // leak-missed: put

static void tests_badly(struct queue *q)
{
    char *s = make("a"); // alloc: tested
    if (put(q, s) != 0)
        return; // leak: tested
    s[0] = 'b';
}

static int sends_well(const char *text)
{
    char *s = make(text);
    if (send(s) < 0)
        return -1;
    free(s);
    return 0;
}

static int sends_badly(const char *text)
{
    char *s = make(text); // alloc: send
    return send(s); // leak-missed: send
}

static int consumes_well(const char *text)
{
    char *s = make(text);
    int rc = consume(s);
    if (rc < 0)
        free(s);
    return rc;
}

static int consumes_badly(const char *text)
{
    char *s = make(text); // alloc: consume
    if (consume(s) < 0)
        return -1; // leak: consume
    return 0;
}

int main(void)
{
    struct queue q = { { NULL }, 0 };
    puts_well(&q);
    puts_well(&q);
    puts_well(&q);
    puts_badly(&q);
    tests_badly(&q);
    empty(&q);
    sends_well("a");
    sends_well("!");
    sends_badly("a");
    sends_badly("!");
    consumes_well("a");
    consumes_well("!");
    consumes_badly("a");
    consumes_badly("!");
    return 0;
}
// limit-missed: given to a function that takes it only sometimes, when nobody asks whether it did
