// Addresses are looked up again for each attempt; those of an attempt that failed
// are forgotten.
// paper: AutoFix, figure 8 (redis): the list is released before the next attempt
// fix: fixed
// run: 1
// run: 3
// run: 9
#define _GNU_SOURCE
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static int reach(const struct addrinfo *to, int attempt, int alive)
{
    printf("attempt %d, family %s\n", attempt, to->ai_family == AF_INET ? "4" : "6");
    return attempt >= alive ? 0 : -1;
}

static int connect_to(const char *host, int alive)
{
    struct addrinfo hints, *list, *p;
    int done = -1;
    memset(&hints, 0, sizeof hints);
    hints.ai_family = AF_INET;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICHOST;
    for (int attempt = 1; attempt <= 5; attempt++) {
        if (getaddrinfo(host, "80", &hints, &list) != 0)
            return -2;
        for (p = list; p != NULL; p = p->ai_next) {
            if (reach(p, attempt, alive) == 0) {
                done = attempt;
                break;
            }
        } // mend
        if (done < 0)
            continue; // mend before
        freeaddrinfo(list);
        return done;
    }
    return done;
}

int main(int argc, char **argv)
{
    printf("%d\n", connect_to("127.0.0.1", argc > 1 ? atoi(argv[1]) : 1));
    return 0;
}
