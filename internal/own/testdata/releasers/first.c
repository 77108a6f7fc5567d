// Objects that are released elsewhere, in the same function or by the family's function.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct req {
	char *name;
	struct req *next;
};

static void freep(char **p)
{
	free(*p);
	*p = NULL;
}

struct req *req_new(const char *name)
{
	struct req *r = malloc(sizeof *r); // by: free(p), req_free(p)
	if (!r)
		return NULL;
	r->name = strdup(name); // by: free(p)
	if (!r->name) {
		free(r);
		return NULL;
	}
	r->next = NULL;
	return r;
}

void req_free(struct req *r)
{
	if (!r)
		return;
	free(r->name);
	free(r);
}

int other_path(int n)
{
	struct req *r = req_new("a"); // by: req_free(p); free(p)
	if (n)
		return 1;
	req_free(r);
	return 0;
}

int nowhere_here(int n)
{
	struct req *r = req_new("b"); // by: req_free(p); free(p)
	return r != NULL;
}

int by_address(int n)
{
	char *s = strdup("x"); // by: freep(&p), free(p)
	FILE *f = fopen("a", "r"); // by: fclose(p)
	if (!f)
		return 1;
	fclose(f);
	freep(&s);
	return 0;
}

int string(void)
{
	char *s = strdup("x"); // by: free(p)
	return *s;
}

int stream(void)
{
	return fgetc(fopen("b", "r")); // by: fclose(p)
}
