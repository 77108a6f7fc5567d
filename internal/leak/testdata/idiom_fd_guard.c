// Clean. *name is new only when the descriptor is returned, which is not -1;
// open returns -1 or a descriptor >= 0, so sock < 0 means -1 too.
//
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int tun_open(const char *dev, char **name)
{
	int fd;

	*name = NULL;
	if ((fd = open(dev, O_RDWR)) == -1)
		return -1;
	if ((*name = strdup(dev)) == NULL) {
		close(fd);
		return -1;
	}
	return fd;
}
int eq(const char *dev)
{
	char *name = NULL;
	int fd;

	if ((fd = tun_open(dev, &name)) == -1)
		return -1;
	free(name);
	return fd;
}
int lt(const char *dev)
{
	char *name = NULL;
	int sock = tun_open(dev, &name);

	if (sock < 0)
		return -1;
	free(name);
	return sock;
}
