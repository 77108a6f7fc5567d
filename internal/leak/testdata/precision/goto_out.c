// Cleaning up under a label: a pointer is null exactly when nothing was
// allocated.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int one_label(const char *s)
{
    int rc = -1;
    char *a = NULL, *b = NULL;
    FILE *f = NULL;
    if (!(a = strdup(s)))
        goto out;
    if (s[0] == '!')
        goto out;
    if (!(b = malloc(16)))
        goto out;
    if (s[0] == '?')
        goto out;
    if (!(f = fopen("/dev/null", "r")))
        goto out;
    rc = 0;
out:
    if (f)
        fclose(f);
    if (b)
        free(b);
    free(a);
    return rc;
}

static int ladder(const char *s)
{
    int rc = -1;
    char *a = strdup(s), *b;
    if (!a)
        goto none;
    b = strdup(s);
    if (!b)
        goto free_a;
    if (s[0] == '!')
        goto free_b;
    rc = 0;
free_b:
    free(b);
free_a:
    free(a);
none:
    return rc;
}

static char *keep_on_success(const char *s)
{
    char *result = NULL, *tmp = strdup(s);
    if (!tmp)
        goto out;
    if (s[0] == '!')
        goto out;
    result = tmp;
    tmp = NULL;
out:
    free(tmp);
    return result;
}

static int wrong_step(const char *s)
{
    int rc = -1;
    char *a = strdup(s), *b;
    if (!a)
        goto none;
    b = strdup(s); // alloc: b
    if (!b)
        goto free_a;
    if (s[0] == '!')
        goto free_a;
    rc = 0;
    free(b);
free_a:
    free(a);
none:
    return rc; // leak: b
}

static int past_label(const char *s)
{
    int rc = -1;
    char *a = strdup(s); // alloc: past
    if (!a)
        goto out;
    if (s[0] == '!')
        return -2; // leak: past
    rc = 0;
out:
    free(a);
    return rc;
}

static char *only_on_success(const char *s)
{
    char *result = NULL, *tmp = strdup(s); // alloc: tmp
    if (!tmp)
        goto out;
    if (s[0] == '!')
        goto out; // leak: tmp
    result = tmp;
out:
    return result;
}

int main(void)
{
    static const char *const names[] = { "!", "?", "x" };
    for (int i = 0; i < 3; i++) {
        one_label(names[i]);
        ladder(names[i]);
        free(keep_on_success(names[i]));
        wrong_step(names[i]);
        past_label(names[i]);
        free(only_on_success(names[i]));
    }
    return 0;
}
