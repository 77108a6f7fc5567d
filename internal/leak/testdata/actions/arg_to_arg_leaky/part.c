// The part that does it, two calls deep.
static void put(char *from, char **to)
{
    *to = from;
}

void hand_over(char *from, char **to)
{
    put(from, to);
}
