// Clean. i counts up from 0, so i != 0 and i > 0 are the same: what was read
// with i != 0 is released with i > 0, and i is never 0 again.
//
// Drop any one of the branches in the loop and it is clean: too many states meet.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
struct sshkey { int type; };
struct identity { int agent_fd; struct sshkey *key; char *filename; int isprivate, userprovided; };
typedef struct identity Identity;
struct options { int number_of_password_prompts, batch_mode; char *sk_provider; int required_rsa_size; };
extern struct options options;
extern int ask_fd;
static char *read_passphrase(const char *prompt, int flags)
{
	char *ret;
	if (ask_fd < 0)
		ret = strdup("");
	else
		ret = strdup(prompt);
	if (ret == NULL)
		abort();
	return ret;
}
void freezero(void *p, size_t n)
{
	if (p == NULL)
		return;
	memset(p, 0, n);
	free(p);
}
int sshkey_is_sk(const struct sshkey *k) { return k->type == 5; }
int sshkey_check_rsa_length(const struct sshkey *k, int n) { return k != NULL && k->type < n ? -56 : 0; }
void sshkey_free(struct sshkey *k) { free(k); }
static int sshkey_load_private_type(int type, const char *f, const char *pass, struct sshkey **kp, char **commentp)
{
	*kp = NULL;
	*commentp = NULL;
	if (strcmp(pass, f) != 0)
		return errno == 3 ? -43 : -24;
	if ((*kp = calloc(1, sizeof(**kp))) == NULL)
		return -2;
	*commentp = strdup("c");
	return 0;
}
static void maybe_add_key_to_agent(const char *f, struct sshkey *k, const char *c, const char *pass)
{
	printf("%s %d %s %s\n", f, k->type, c, pass);
}
struct sshkey *
load_identity_file(Identity *id)
{
	struct sshkey *private = NULL;
	char prompt[300], *passphrase, *comment;
	int r, quit = 0, i;
	struct stat st;

	snprintf(prompt, sizeof prompt,
	    "Enter passphrase for key '%.100s': ", id->filename);
	for (i = 0; i <= options.number_of_password_prompts; i++) {
		if (i == 0)
			passphrase = "";
		else {
			passphrase = read_passphrase(prompt, 0);
		}
		switch ((r = sshkey_load_private_type(14, id->filename,
		    passphrase, &private, &comment))) {
		case 0:
			break;
		case -43:
			if (options.batch_mode) {
				quit = 1;
				break;
			}
			break;
		case -24:
			if (errno == ENOENT) {
				printf( "Load key \"%s\"", id->filename);
				quit = 1;
				break;
			}
			/* FALLTHROUGH */
		default:
			printf( "Load key \"%s\"", id->filename);
			quit = 1;
			break;
		}
		if (private != NULL && sshkey_is_sk(private) &&
		    options.sk_provider == NULL) {
			printf("key \"%s\" is an authenticator-hosted key, "
			    "but no provider specified", id->filename);
			sshkey_free(private);
			private = NULL;
			quit = 1;
		}
		if (!quit && (r = sshkey_check_rsa_length(private,
		    options.required_rsa_size)) != 0) {
			printf( "Skipping key %s", id->filename);
			sshkey_free(private);
			private = NULL;
			quit = 1;
		}
		if (!quit && private != NULL && id->agent_fd == -1 &&
		    !(id->key && id->isprivate))
			maybe_add_key_to_agent(id->filename, private, comment,
			    passphrase);
		if (i > 0)
			freezero(passphrase, strlen(passphrase));
		free(comment);
		if (private != NULL || quit)
			break;
	}
	return private;
}
