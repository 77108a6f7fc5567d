// A function makes what it is not given. Whoever passes null gets something new;
// whoever passes something gets that back and need not look at the result.
#include <stdlib.h>
#include <string.h>

struct queue { int length; char *name; };

static struct queue *queue_init(struct queue *q)
{
    if (!q)
        q = malloc(sizeof *q);
    if (!q)
        abort();
    q->length = 0;
    q->name = NULL;
    return q;
}

// The name that is given, or a new one.
static char *named(char *room, const char *name)
{
    return room ? strcpy(room, name) : strdup(name);
}

static int given(struct queue *q)
{
    queue_init(q);
    return q->length;
}

static int made(void)
{
    struct queue *q = queue_init(NULL);
    int n = q->length;
    free(q);
    return n;
}

static int made_badly(void)
{
    struct queue *q = queue_init(NULL); // alloc: queue
    return q->length; // leak: queue
}

static int short_name(void)
{
    char room[8];
    return named(room, "short")[0];
}

static int long_name(void)
{
    char *s = named(NULL, "long");
    int c = s ? s[0] : 0;
    free(s);
    return c;
}

static int long_name_badly(void)
{
    char *s = named(NULL, "long"); // alloc: name
    return s ? s[0] : 0; // leak: name
}

int main(void)
{
    struct queue q;
    int n = given(&q) + made() + made_badly();
    return n + short_name() + long_name() + long_name_badly() == 0;
}
