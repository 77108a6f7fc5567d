// A struct that owns several blocks. Leaky: one field is not freed; a field is
// replaced; making the third fails and the second is forgotten.
#include <stdlib.h>
#include <string.h>

struct user { char *name, *mail, *home; };

static void user_free(struct user *u)
{
    if (!u)
        return;
    free(u->name);
    free(u->mail);
    free(u->home);
    free(u);
}

static struct user *user_new(const char *name, const char *mail, const char *home)
{
    struct user *u = calloc(1, sizeof *u);
    if (!u)
        return NULL;
    u->name = strdup(name);
    u->mail = strdup(mail);
    if (home) {
        u->home = strdup(home);
        if (!u->home) {
            user_free(u);
            return NULL;
        }
    }
    return u;
}

static void clean(void)
{
    struct user *u = user_new("n", "m", "h");
    if (!u)
        return;
    free(u->name);
    u->name = strdup("n2");
    user_free(u);
}

static void replaced(void)
{
    struct user *u = user_new("n", "m", "h"); // alloc: name
    if (!u)
        return;
    u->name = strdup("n2"); // leak: name "u->name"
    user_free(u);
}

static void one_field(void)
{
    struct user *u = user_new("n", "m", "h"); // alloc: mail
    if (!u)
        return;
    free(u->name);
    free(u->home);
    free(u); // leak: mail "u->mail"
}

// Without a home there is none to free.
static void homeless(void)
{
    struct user *u = user_new("n", "m", NULL);
    if (!u)
        return;
    free(u->name);
    free(u->mail);
    free(u);
}

static void whole(void)
{
    struct user *u = user_new("n", "m", NULL); // alloc: user
    if (u)
        u->name[0] = 'N';
} // leak: user "held by .u. is forgotten"

int main(void)
{
    clean();
    replaced();
    one_field();
    homeless();
    whole();
    return 0;
}
