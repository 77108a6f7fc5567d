// A request with its headers is forgotten by a return deep in a function.
// paper: Melton, figure 18 (wget): leak, forgotten
#include <stdlib.h>
#include <string.h>

struct request { char *method; };

static struct request *request_new(void)
{
    struct request *r = malloc(sizeof *r);
    if (!r)
        abort();
    r->method = strdup("GET");
    return r;
}

static void request_free(struct request *r)
{
    free(r->method);
    free(r);
}

static int fetch(int scheme, int cached, int stale)
{
    struct request *r = request_new(); // alloc: request
    if (scheme == 1) {
        r->method[0] = 'g';
    } else if (scheme == 2) {
        r->method[0] = 'P';
    } else {
        request_free(r);
        return -1;
    }
    if (cached) {
        if (!stale)
            return 1; // leak: request
    }
    request_free(r);
    return 0;
}

static int fetch_well(int scheme, int cached, int stale)
{
    struct request *r = request_new();
    if (scheme == 1) {
        r->method[0] = 'g';
    } else if (scheme == 2) {
        r->method[0] = 'P';
    } else {
        request_free(r);
        return -1;
    }
    if (cached) {
        if (!stale) {
            request_free(r);
            return 1;
        }
    }
    request_free(r);
    return 0;
}

int main(void)
{
    fetch(1, 0, 0);
    fetch(3, 0, 0);
    fetch(2, 1, 0);
    fetch_well(1, 1, 1);
    fetch_well(2, 1, 0);
    fetch_well(3, 1, 0);
    return 0;
}
