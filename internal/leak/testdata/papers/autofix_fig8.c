// A loop looks up an address for each server and tries again; the addresses are
// not freed when none of them works.
// paper: AutoFix, figure 8 (redis): leak of what getaddrinfo allocates
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>

static int reach(const struct addrinfo *a, int up) { return up && a->ai_family == AF_INET; }

static int connect_any(const char *const *hosts, int n, int up)
{
    struct addrinfo hints, *found;
    memset(&hints, 0, sizeof hints);
    hints.ai_flags = AI_NUMERICHOST;
    for (int i = 0; i < n; i++) {
        if (getaddrinfo(hosts[i], "80", &hints, &found) != 0) // alloc: found; leak: found
            continue;
        for (struct addrinfo *a = found; a; a = a->ai_next) {
            if (reach(a, up)) {
                freeaddrinfo(found);
                return i;
            }
        }
    }
    return -1; // leak: found
}

static int connect_well(const char *const *hosts, int n, int up)
{
    struct addrinfo hints, *found;
    memset(&hints, 0, sizeof hints);
    hints.ai_flags = AI_NUMERICHOST;
    for (int i = 0; i < n; i++) {
        int ok = 0;
        if (getaddrinfo(hosts[i], "80", &hints, &found) != 0)
            continue;
        for (struct addrinfo *a = found; a && !ok; a = a->ai_next)
            ok = reach(a, up);
        freeaddrinfo(found);
        if (ok)
            return i;
    }
    return -1;
}

int main(void)
{
    static const char *const hosts[] = { "127.0.0.1", "127.0.0.2" };
    connect_any(hosts, 2, 1);
    connect_any(hosts, 2, 0);
    connect_well(hosts, 2, 1);
    connect_well(hosts, 2, 0);
    return 0;
}
