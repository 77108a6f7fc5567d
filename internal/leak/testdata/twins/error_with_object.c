// As idiom_err_interval.c, but the error that is tried again is one that comes with an
// object.
#include <stdlib.h>

#define E_ALLOC -2
#define E_WRONG_PIN -43
#define E_LIBCRYPTO -60

static int
sk_sign(char **sigp, int pin)
{
	*sigp = NULL;
	if (!pin)
		return E_WRONG_PIN;
	if ((*sigp = malloc(8)) == NULL)
		return E_ALLOC;
	return 0;
}

static int
shield(int k)
{
	if (k == 1)
		return E_ALLOC;
	if (k == 2)
		return E_WRONG_PIN;
	return 0;
}

static int
sign(int k, char **sigp, int pin)
{
	int r, r2;

	*sigp = NULL; // leak: o0
	r = sk_sign(sigp, pin);
	if ((r2 = shield(k)) != 0)
		return r2;
	return r;
}

int
identity_sign(int k, char **sigp)
{
	int r, pin = 1, retried = 0;

 retry:
	if ((r = sign(k, sigp, pin)) != 0) { // alloc: o0
		if (!retried && r == E_WRONG_PIN) {
			pin = retried = 1;
			goto retry;
		}
	}
	return r;
}

int
main(int argc, char **argv)
{
	char *sig = NULL;

	(void)argv;
	identity_sign(argc + 1, &sig);
	free(sig);
	return 0;
}
