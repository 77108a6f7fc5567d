// A task carries data for the function that is called at its end; that function
// does not free it.
// paper: LeakPoint, figure 2d (transmission): leak, lost where the task is freed
#include <stdlib.h>
#include <string.h>

typedef void done_fn(const char *answer, void *data);
struct task { char *url; done_fn *done; void *data; struct task *next; };
static struct task *tasks;

static void web_run(const char *url, done_fn *done, void *data)
{
    struct task *t = calloc(1, sizeof *t);
    if (!t)
        abort();
    t->url = strdup(url);
    t->done = done;
    t->data = data;
    t->next = tasks;
    tasks = t;
}

static int answers;

static void stopped(const char *answer, void *data)
{
    answers += answer[0] == 'k' && data;
}

static void started(const char *answer, void *data)
{
    answers += answer[0] == 'k' && data;
    free(data);
}

static void invoke(const char *url, done_fn *done)
{
    unsigned char *hash = malloc(20); // alloc: hash
    if (!hash)
        abort();
    memset(hash, 1, 20);
    web_run(url, done, hash);
}

static void process(void)
{
    while (tasks) {
        struct task *t = tasks;
        tasks = t->next;
        t->done("k", t->data);
        free(t->url);
        free(t); // leak-missed: hash
    }
}

int main(void)
{
    invoke("a", started);
    invoke("b", stopped);
    process();
    return 0;
}
// limit-missed: handed to a callback that does not free it, in a list of tasks
