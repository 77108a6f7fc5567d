// Does to its descriptors what its argument says, then loses a block.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *volatile kept;

int main(int argc, char **argv) {
	const char *how = argv[1];
	if (open("/dev/null", O_RDONLY) != 3) // numbers are what they would be
		return 1;
	if (strcmp(how, "loop") == 0)
		for (int i = 0; i < 4096; i++)
			close(i);
	if (strcmp(how, "range") == 0 && close_range(3, ~0u, 0) != 0)
		return 2;
	if (strcmp(how, "from") == 0)
		closefrom(0);
	if (strcmp(how, "dup") == 0)
		for (int i = 3; i < 1024; i++)
			if (dup2(0, i) != i && i < 1000)
				return 3;
	if (strcmp(how, "root") == 0 && (mkdir(argv[2], 0755), chdir(argv[2]) != 0 || chroot(".") != 0))
		return 4;
	if (strcmp(how, "user") == 0 && (chdir("/") != 0 || setgid(65534) != 0 || setuid(65534) != 0))
		return 5;
	if (strcmp(how, "full") == 0)
		while (open("/dev/null", O_RDONLY) >= 0)
			;
	kept = malloc(33);
	memset(malloc(31), 1, 31);
	return 0;
}
