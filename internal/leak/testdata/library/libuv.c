// Requests are libuv's from when they are started, if that succeeds, until their
// callback.
#include <stdlib.h>

typedef struct { void *data; char rest[120]; } uv_work_t;
typedef struct { void *data; char rest[180]; } uv_write_t;
typedef struct { void *address; } uv_interface_address_t;
int uv_queue_work(void *l, uv_work_t *r, void (*work)(uv_work_t *), void (*after)(uv_work_t *, int));
int uv_write(uv_write_t *r, void *h, const void *bufs, unsigned n, void (*f)(uv_write_t *, int));
int uv_interface_addresses(uv_interface_address_t **out, int *n);
void uv_free_interface_addresses(uv_interface_address_t *a, int n);

static void written(uv_write_t *r, int status) { free(r); }
static void work(uv_work_t *r) { r->rest[0] = 1; }
static void done(uv_work_t *r, int status) { free(r); }

int write_leaky(void *h, const void *bufs)
{
    uv_write_t *r = malloc(sizeof *r); // alloc: request
    if (!r)
        return -1;
    int e = uv_write(r, h, bufs, 1, written);
    if (e)
        return e; // leak: request
    return 0;
}

int write_clean(void *h, const void *bufs)
{
    uv_write_t *r = malloc(sizeof *r);
    if (!r)
        return -1;
    int e = uv_write(r, h, bufs, 1, written);
    if (e)
        free(r);
    return e;
}

int work_clean(void *l)
{
    uv_work_t *r = malloc(sizeof *r);
    if (!r)
        return -1;
    if (uv_queue_work(l, r, work, done)) {
        free(r);
        return -1;
    }
    return 0;
}

int addresses_leaky(void)
{
    uv_interface_address_t *a;
    int n;
    if (uv_interface_addresses(&a, &n)) // alloc: addresses
        return -1;
    return n; // leak: addresses
}

int addresses_clean(void)
{
    uv_interface_address_t *a;
    int n;
    if (uv_interface_addresses(&a, &n))
        return -1;
    uv_free_interface_addresses(a, n);
    return n;
}
