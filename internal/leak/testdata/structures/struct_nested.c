// A struct in a struct in a struct; leaky: the middle one is freed with its
// part still in it.
#include <stdlib.h>
#include <string.h>

struct body { char *text; };
struct message { struct body *body; char *subject; };
struct mailbox { struct message *draft; };

static struct message *message_new(const char *subject, const char *text)
{
    struct message *m = malloc(sizeof *m);
    if (!m)
        abort();
    m->subject = strdup(subject);
    m->body = malloc(sizeof *m->body); // alloc: body
    if (!m->body)
        abort();
    m->body->text = strdup(text); // alloc: text
    return m;
}

static void message_free(struct message *m)
{
    free(m->body->text);
    free(m->body);
    free(m->subject);
    free(m);
}

static void message_free_badly(struct message *m)
{
    free(m->body); // leak-missed: text
    free(m->subject);
    free(m);
}

static void message_free_worse(struct message *m)
{
    free(m->body->text);
    free(m->subject);
    free(m); // leak-missed: body
}

static void use(struct mailbox *box, void (*release)(struct message *))
{
    box->draft = message_new("s", "t");
    release(box->draft);
    box->draft = NULL;
}

int main(void)
{
    struct mailbox box = { NULL };
    use(&box, message_free);
    use(&box, message_free_badly);
    use(&box, message_free_worse);
    return 0;
}
// limit-missed: two levels down, when a callee frees the level between
