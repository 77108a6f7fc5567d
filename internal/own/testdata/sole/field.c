// A field that owns what it points to.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct user {
	int id;
	char *name;
	char *mail;
};

struct user *user_new(const char *name)
{
	struct user *u = malloc(sizeof *u);
	if (!u)
		return NULL;
	u->id = 0;
	u->name = strdup(name);
	u->mail = NULL;
	if (!u->name) {
		free(u);
		return NULL;
	}
	return u;
}

void user_free(struct user *u)
{
	if (!u)
		return;
	free(u->name); // sole
	free(u->mail);
	free(u);
}

void user_rename(struct user *u, const char *name)
{
	free(u->name); // sole
	u->name = strdup(name);
}

void user_rename_late(struct user *u, const char *name)
{
	char *old = u->name;
	u->name = strdup(name);
	free(old); // sole
}

int user_rename_tested(struct user *u, const char *name)
{
	char *new = strdup(name);
	if (!new)
		return -1;
	free(u->name); // sole
	u->name = new;
	return 0;
}

void user_forget(struct user *u)
{
	free(u->name); // sole
	u->name = NULL;
}

void user_rename_to_other(struct user *u, const struct user *v)
{
	free(u->name); // not sole: may be read before it is set again
	u->name = strdup(v->name);
}

void user_rename_unless_same(struct user *u, const char *name)
{
	if (u->name && strcmp(u->name, name) == 0)
		return;
	free(u->name); // sole
	u->name = strdup(name);
}

void user_print(struct user *u)
{
	printf("%s\n", u->name);
}

int main(int argc, char **argv)
{
	struct user *u = user_new("a");
	if (!u)
		return 1;
	user_rename(u, argv[0]);
	user_rename_tested(u, "b");
	user_rename_late(u, "c");
	user_rename_unless_same(u, "d");
	user_rename_to_other(u, u);
	user_print(u);
	user_forget(u);
	user_free(u);
	return 0;
}
