// The twin of figure 8: the list is looked up once and kept over attempts.
// paper: AutoFix, figure 8, with nothing to mend
// fix: none
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
    struct addrinfo hints, *list = NULL, *p;
    int done = -1;
    memset(&hints, 0, sizeof hints);
    hints.ai_family = AF_INET;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICHOST;
    for (int attempt = 1; attempt <= 5; attempt++) {
        if (list == NULL && getaddrinfo(host, "80", &hints, &list) != 0)
            return -2;
        for (p = list; p != NULL; p = p->ai_next) {
            if (reach(p, attempt, alive) == 0) {
                done = attempt;
                break;
            }
        }
        if (done > 0)
            break;
    }
    if (list != NULL)
        freeaddrinfo(list);
    return done;
}

int main(int argc, char **argv)
{
    printf("%d\n", connect_to("127.0.0.1", argc > 1 ? atoi(argv[1]) : 1));
    return 0;
}
