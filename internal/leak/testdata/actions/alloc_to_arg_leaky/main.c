// AllocToArg: a new block is handed out through an argument; the caller forgets it.
// paper: Melton, figure 1a (AllocToArg): leak; Melton follows it
#include <stdio.h>
#include <stdlib.h>

int line_open(char **out, size_t size);

static void use(void)
{
    char *line;
    if (line_open(&line, 16) < 0) // alloc: line
        return;
    puts(line);
    line = NULL; // leak: line
}

int main(void)
{
    use();
    return 0;
}
