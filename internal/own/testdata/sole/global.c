// Globals that own what they point to, and others.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *title;
static char *mode = "plain";
static char *path;
static char *alias;
static char *last;
static char *line;
static char *root;

void set_title(const char *s)
{
	free(title); // sole
	title = strdup(s);
}

void set_mode(const char *s)
{
	free(mode); // not sole: mode is not null from the start
	mode = strdup(s);
}

void set_path(const char *s)
{
	free(path); // not sole: path may be a string literal
	path = strdup(s);
}

void reset_path(void)
{
	path = "/";
}

void set_alias(const char *s)
{
	free(alias); // not sole: what alias points to is also in last
	alias = strdup(s);
	last = alias;
}

void set_line(char *s)
{
	free(line); // not sole: line may still be used here by way of s
	line = strdup(s);
}

// It leaves a pointer behind, but at the end.
static void cleanup(void)
{
	free(root);
}

void set_root(const char *s)
{
	free(root); // sole
	root = strdup(s);
}

int main(int argc, char **argv)
{
	set_title(argv[0]);
	set_title(argv[1]);
	set_mode(argv[0]);
	set_path(argv[0]);
	set_alias(argv[1]);
	set_line("x");
	set_line(line);
	set_root("x");
	printf("%s %s %s %s %s %s\n", title, mode, path, alias, last, root);
	free(title);
	cleanup();
	return 0;
}
