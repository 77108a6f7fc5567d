// Copying a struct copies its pointers; the copy now holds the memory (smallest form; "*to = *from"
// behaves the same).
#include <stdlib.h>
#include <string.h>
struct s { char *t; };
void move(struct s *to, struct s *from) {
    from->t = malloc(3);
    memcpy(to, from, sizeof *to);
    from->t = NULL;
}
