// As idiom_write_ends_process.c, but the page may be written, so the code goes on and the
// mapping is lost.
// run: segfault
#include <sys/mman.h>
#include <string.h>
#include <stdio.h>

void command(const char *name) {
    if (!strcmp(name, "segfault")) {
        char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); // alloc: o0; not-run: o0
        *p = 'x';
    } else {
        puts("unknown");
    }
} // leak: o0

int main(int argc, char **argv) {
    command(argc > 1 ? argv[1] : "");
    return 0;
}
