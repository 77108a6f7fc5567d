// LeakPoint's example from a download program: the task's user data belongs to the
// function that is called when it is done, which does not free it; so the task's
// release loses it. (run: forget keeps done tasks in a list that nobody looks at
// again: forgotten memory, whose last use is the call.)
//
// run: lose => D=1/20
// run: free =>
// run: forget => ~D=1/20 ~T=1/32
#include <stdlib.h>
#include <string.h>

struct task { struct task *next; char *url; void (*done)(void *); void *data; };
static struct task *running, *finished;

static void on_stopped(void *data)
{
	(void)data;
}

static void on_stopped_free(void *data)
{
	free(data);
}

static void request(const char *what, void (*done)(void *))
{
	struct task *t = malloc(sizeof *t); // alloc: T
	unsigned char *digest = malloc(20); // alloc: D
	memset(digest, 7, 20);
	t->url = malloc(30);
	strcpy(t->url, what);
	t->done = done;
	t->data = digest;
	t->next = running;
	running = t;
}

static void process(int keep)
{
	while (running) {
		struct task *t = running;
		running = t->next;
		t->done(t->data); // forgotten: D
		free(t->url);
		if (keep) {
			t->url = NULL;
			t->next = finished; // forgotten: T
			finished = t;
			continue;
		}
		free(t); // leak: D
	}
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "lose";
	request("http://tracker/stop", strcmp(how, "free") ? on_stopped : on_stopped_free);
	process(!strcmp(how, "forget"));
	return 0;
}
