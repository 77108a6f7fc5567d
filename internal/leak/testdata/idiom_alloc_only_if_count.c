// The callee allocates only when argc != 0; the caller tests argc == 0.
#include <stdlib.h>
#include <string.h>
int unpack(const char *buf, int argc, char ***argv) {
    if (argc == 0) return 0;
    *argv = calloc(argc, sizeof **argv);
    if (!*argv) abort();
    if (buf == NULL) { free(*argv); return -1; }
    return 0;
}
void run(int, char **);
void dispatch(const char *buf, int argc) {
    char **argv;
    if (unpack(buf, argc, &argv) != 0) return;
    if (argc == 0) {
        argc = 1;
        argv = calloc(1, sizeof *argv);
        if (!argv) abort();
    }
    run(argc, argv);
    free(argv);
}
