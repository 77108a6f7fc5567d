// What globals hold is followed from function to function.
#include <stdlib.h>
#include <string.h>

static char *current;
void overwrite_here(int n)
{
    current = malloc(n); // alloc: here
    if (current)
        current[0] = 0;
    current = NULL; // leak: here "current"
}

// Set twice without a release in between.
static char *title;
static void set_title(const char *s)
{
    char *copy = strdup(s); // alloc: title
    title = copy; // leak: title "lost"
}
void titles(void)
{
    set_title("a");
    set_title("b");
}

// In a loop.
static char *line;
static void set_line(const char *s)
{
    char *copy = strdup(s); // alloc: line
    line = copy; // leak: line "lost"
}
void lines(char **v, int n)
{
    for (int i = 0; i < n; i++)
        set_line(v[i]);
}

// The repaired one releases first.
static char *name;
static void set_name(const char *s)
{
    free(name);
    name = strdup(s);
}
void names(void)
{
    set_name("a");
    set_name("b");
}

// Only if it is not there yet.
static char *buffer;
static char *get_buffer(void)
{
    if (!buffer)
        buffer = malloc(100);
    return buffer;
}
int buffers(void) { return get_buffer() == get_buffer(); }

// A flag in another global says so.
static int ready;
static char *table;
static void init(void)
{
    if (ready)
        return;
    table = malloc(256);
    ready = 1;
}
void inits(void)
{
    init();
    init();
}

// Asked of a function.
static int is_ready(void) { return ready; }
static char *other;
static void init_other(void)
{
    if (!is_ready())
        other = malloc(256);
}
void init_others(void)
{
    init_other();
    init_other();
}

// Started and stopped.
static char *session;
static void start(void) { session = malloc(10); }
static void stop(void)
{
    free(session);
    session = NULL;
}
void sessions(void)
{
    start();
    stop();
    start();
    stop();
}

// Moved to another global, which is overwritten.
static char *active, *backup;
static void begin(void) { active = malloc(10); } // alloc: parked
static void park(void)
{
    backup = active; // leak: parked "lost"
    active = NULL;
}
void parks(void)
{
    begin();
    park();
    begin();
    park();
}

// Taken out, and forgotten by the one who took it.
static char *pending;
static void post(void)
{
    if (!pending)
        pending = malloc(10); // alloc: taken
}
static char *take(void)
{
    char *p = pending;
    pending = NULL;
    return p;
}
static int drain(void)
{
    char *m = take();
    if (!m)
        return 0;
    return m[0]; // leak: taken "forgotten"
}
int drains(void)
{
    post();
    return drain();
}

// Taken out and released.
static char *inbox;
static void deliver(void)
{
    if (!inbox)
        inbox = malloc(10);
}
static char *fetch(void)
{
    char *p = inbox;
    inbox = NULL;
    return p;
}
int fetches(void)
{
    deliver();
    char *m = fetch();
    int c = m ? m[0] : 0;
    free(m);
    return c;
}

// A field of a global struct, through its address.
static struct conf { int n; char *path; } conf;
static void load(struct conf *c) { c->path = malloc(20); } // alloc: conf; leak: conf "lost"
void loads(void)
{
    load(&conf);
    load(&conf);
}
static struct conf conf2;
static void unload(struct conf *c)
{
    free(c->path);
    c->path = NULL;
}
static void load2(struct conf *c) { c->path = malloc(20); }
void loads_well(void)
{
    load2(&conf2);
    unload(&conf2);
    load2(&conf2);
}

// A list: what was first is now second.
struct node { struct node *next; };
static struct node *head;
static void push(void)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        return;
    n->next = head;
    head = n;
}
void pushes(void)
{
    push();
    push();
}
