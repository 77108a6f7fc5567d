// Streams, directories, addresses: each has its own release.
// run: .
#define _GNU_SOURCE
#include <dirent.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int first_char(const char *path)
{
    FILE *f = fopen(path, "r");
    int c;

    if (!f)
        return -2;
    c = fgetc(f);
    if (c == EOF)
        return -1;
    fclose(f);
    return c;
}

static int has_entry(const char *path, const char *name)
{
    DIR *d = opendir(path);
    struct dirent *e;

    if (!d)
        return 0;
    while ((e = readdir(d)) != NULL)
        if (strcmp(e->d_name, name) == 0)
            return 1;
    closedir(d);
    return 0;
}

static int family_of(const char *host)
{
    struct addrinfo hints, *res;
    int fam;

    memset(&hints, 0, sizeof hints);
    hints.ai_flags = AI_NUMERICHOST;
    if (getaddrinfo(host, "80", &hints, &res) != 0)
        return -1;
    fam = res->ai_family;
    return fam;
}

int main(int argc, char **argv)
{
    const char *d = argc > 1 ? argv[1] : ".";
    printf("%d %d %d\n", first_char("/dev/null"), has_entry(d, "."), family_of("127.0.0.1"));
    return 0;
}
