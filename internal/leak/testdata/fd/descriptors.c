// File descriptors, which are followed when asked for. A run of each function under valgrind --track-fds says the same.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#define NAME "/dev/null"

struct conn {
	int fd;
	char *buf;
};

extern int flag;

int bad_early_return(void)
{
	char c;
	int fd = open(NAME, O_RDONLY); // alloc: early
	if (fd < 0)
		return -1;
	if (read(fd, &c, 1) != 1)
		return -2; // leak@fd: early "descriptor opened by open and held by 'fd' is forgotten here"
	return close(fd);
}

int bad_overwritten(void)
{
	int fd = dup(1); // alloc: overwritten
	if (fd == -1)
		return -1;
	fd = open(NAME, O_RDONLY); // leak@fd: overwritten
	if (fd != -1)
		close(fd);
	return 0;
}

static int my_open(const char *name)
{
	int fd = open(name, O_RDONLY);
	if (fd < 0) {
		perror(name);
		return -1;
	}
	return fd;
}

int bad_wrapper(void)
{
	int fd = my_open(NAME); // alloc: wrapper
	if (fd < 0)
		return -1;
	if (lseek(fd, 0, SEEK_END) == 0)
		return 0; // leak@fd: wrapper "opened by my_open"
	close(fd);
	return 1;
}

static int conn_init(struct conn *c)
{
	c->buf = malloc(8);
	if (!c->buf)
		return -1;
	c->fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (c->fd < 0) {
		free(c->buf);
		return -1;
	}
	return 0;
}

static void conn_free(struct conn *c)
{
	if (c->fd >= 0)
		close(c->fd);
	free(c->buf);
}

int bad_field(void)
{
	struct conn c;
	if (conn_init(&c) < 0) // alloc: field
		return -1;
	free(c.buf);
	return 0; // leak@fd: field "held by 'c.fd'"
}

void bad_close_twice(void)
{
	int fd = open(NAME, O_RDONLY); // alloc: twice
	if (fd < 0)
		return;
	close(fd);
	close(fd); // double-free@fd: twice
}

void bad_use_closed(void)
{
	int fd = open(NAME, O_WRONLY); // alloc: use
	if (fd < 0)
		return;
	close(fd);
	write(fd, "x", 1); // use-after-free@fd: use "descriptor opened by open and held by 'fd' is used here after its release"
}

void bad_close_stream_for_descriptor(void)
{
	int fd = open(NAME, O_RDONLY); // alloc: stream
	if (fd < 0)
		return;
	FILE *f = fdopen(fd, "r");
	if (!f)
		return; // leak@fd: stream
	fclose(f);
}

int ok_both_paths(void)
{
	char c;
	int fd = open(NAME, O_RDONLY);
	if (fd == -1)
		return -1;
	int rc = read(fd, &c, 1) == 1 ? 0 : -1;
	close(fd);
	return rc;
}

int ok_wrapper(void)
{
	int fd = my_open(NAME);
	if (fd < 0)
		return -1;
	close(fd);
	return 0;
}

int ok_field(void)
{
	struct conn c;
	if (conn_init(&c) < 0)
		return -1;
	conn_free(&c);
	return 0;
}

int ok_handed_over(void)
{
	int fd = open(NAME, O_RDONLY);
	if (fd < 0)
		return -1;
	FILE *f = fdopen(fd, "r");
	if (!f) {
		close(fd);
		return -1;
	}
	printf("%d\n", fileno(f) == fd && lseek(fd, 0, SEEK_CUR) == 0);
	fclose(f);
	return 0;
}

// Calculating with a descriptor hides nothing, and is no use of it either.
int ok_select(void)
{
	fd_set set;
	struct timeval now = {0, 0};
	int fd = open(NAME, O_RDONLY);
	if (fd < 0)
		return -1;
	FD_ZERO(&set);
	FD_SET(fd, &set);
	int n = select(fd + 1, &set, NULL, NULL, &now);
	close(fd);
	printf("%d was open\n", fd);
	return n;
}

// The first three are not for closing.
int ok_not_standard(void)
{
	int fd = open(NAME, O_RDWR);
	if (fd == -1)
		return -1;
	if (fd > STDERR_FILENO)
		close(fd);
	return 0;
}

int ok_reset(void)
{
	int fd = open(NAME, O_RDONLY);
	if (fd >= 0)
		close(fd);
	fd = -1;
	if (flag)
		fd = open(NAME, O_RDONLY);
	if (fd >= 0)
		close(fd);
	return 0;
}

static int kept = -1;

int ok_kept(void)
{
	if (kept >= 0)
		close(kept);
	kept = open(NAME, O_RDONLY);
	return kept >= 0 ? 0 : -1;
}

int ok_returned(void) { return open(NAME, O_RDONLY); }

int flag = 1;
