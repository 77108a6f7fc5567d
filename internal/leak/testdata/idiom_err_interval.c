// Clean. sign() leaves a signature behind with an error only when shield()
// failed, which returns -1, -2 or -90; the callers that retry do so on -43, which
// only do_sign() returns, without a signature. An interval -90..-1 contains
// -43; the set of results does not.
//
#include <stdlib.h>
#include <string.h>
int wrong_pin(const char *);
int init(void);
int full(void);
static int shield(int k)
{
	if (k == 0)
		return -2;
	if (init())
		return -1;
	if (full())
		return -90;
	return 0;
}
static int do_sign(char **sigp, const char *pin)
{
	if (wrong_pin(pin))
		return -43;
	if ((*sigp = strdup("sig")) == NULL)
		return -2;
	return 0;
}
static int sign(int key, char **sigp, const char *pin)
{
	int r, r2;

	*sigp = NULL;
	r = do_sign(sigp, pin);
	if (key && (r2 = shield(key)) != 0)
		return r2;
	return r;
}
int request(int key, const char *pin)
{
	char *sig = NULL;
	int r, retried = 0;

retry:
	if ((r = sign(key, &sig, retried ? pin : NULL)) != 0) {
		if (!retried && r == -43) {
			retried = 1;
			goto retry;
		}
	}
	free(sig);
	return r;
}
