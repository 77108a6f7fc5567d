// The part that does it, two calls deep.
static char *same(char *s)
{
    return s;
}

char *trimmed(char *s)
{
    char *t = same(s);
    for (char *end = t; *end; end++) {
        if (*end == ' ') {
            *end = 0;
            break;
        }
    }
    return t;
}
