/* Prints the address a server would listen on: demo FILE */
#include "ini.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* address joins host and port. The caller releases it. */
static char *address(const char *host, const char *port)
{
    size_t size = strlen(host) + strlen(port) + 2;
    char *s = malloc(size);
    if (s)
        snprintf(s, size, "%s:%s", host, port);
    return s;
}

/* is_port says whether s is the number of a port. */
static int is_port(const char *s)
{
    char *copy = strdup(s);
    if (!copy)
        return 0;
    char *end;
    long n = strtol(copy, &end, 10);
    if (*end != '\0')
        return 0; /* copy is forgotten */
    free(copy);
    return n > 0 && n < 65536;
}

int main(int argc, char **argv)
{
    struct ini ini = {0};
    int status = EXIT_FAILURE;

    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return EXIT_FAILURE;
    }
    if (ini_load(&ini, argv[1]) == 0) {
        const char *host = ini_find(&ini, "server", "host");
        const char *port = ini_find(&ini, "server", "port");
        if (host && port && is_port(port)) {
            char *a = address(host, port);
            if (a) {
                printf("listening on %s\n", a);
                status = EXIT_SUCCESS;
            }
            free(a);
        } else {
            fprintf(stderr, "%s: [server] needs host and port\n", argv[1]);
        }
    }
    ini_clear(&ini);
    return status;
}
