// A buffer is set up and released through a pointer to it; the error return in
// between forgets what it holds.
// paper: Melton, figures 5 and 16 (OpenSSH): leak, missed without AllocToArg
#include <stdlib.h>
#include <string.h>

struct queue { char *data; size_t size; };

static void *must(size_t n)
{
    void *p = malloc(n);
    if (!p)
        abort();
    return p;
}

static void queue_init(struct queue *q)
{
    q->size = 64;
    q->data = must(q->size);
    memset(q->data, 0, q->size);
}

static void queue_free(struct queue *q)
{
    if (q->size > 0) {
        free(q->data);
        q->data = NULL;
        q->size = 0;
    }
}

static int receive(struct queue *q, int fd) { return fd < 0 ? -1 : q->data[0]; }

static int packet(int fd)
{
    struct queue q;
    queue_init(&q); // alloc: data
    if (receive(&q, fd) != 0)
        return -1; // leak: data "q.data"
    queue_free(&q);
    return 0;
}

static int packet_well(int fd)
{
    struct queue q;
    int rc = 0;
    queue_init(&q);
    if (receive(&q, fd) != 0)
        rc = -1;
    queue_free(&q);
    return rc;
}

int main(void)
{
    packet(0);
    packet(-1);
    packet_well(0);
    packet_well(-1);
    return 0;
}
