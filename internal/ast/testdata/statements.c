void *make(unsigned long);
void free(void *);
int printf(const char *, ...);
#define NULL ((void *)0)
#define CHECK(x) do { if (!(x)) return -1; } while (0)
#define RET return -1
#define N 5
struct s { int a; char *p; };

int statements(int n, char *q)
{
	char *p = make(n), *z = NULL;
	struct s s, *sp = &s;

	if (!p) return -1;
	CHECK(n && printf("x"));
	if (n > 3) RET;
	else if (n == 2)
		q[0] = N;
	s.p = p;
	sp->a++;
	for (int i = 0; i < n; i++)
		p[i] = ({ int k = i; k + 1; });
	for (;;)
		break;
	switch (n) {
	case 1 ... 3:
	case 4: return -1;
	default: goto out;
	}
	do n--; while (n /* left */ );
	z = n ? p : q;
	{
		(void)z;;
	}
out:
	free((p));
	return printf("%s \"%d\"", p, -n);
}
