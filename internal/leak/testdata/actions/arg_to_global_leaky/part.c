// The part that does it, two calls deep.
char *current;

static void keep(char *s)
{
    current = s;
}

void remember(char *s)
{
    keep(s);
}
