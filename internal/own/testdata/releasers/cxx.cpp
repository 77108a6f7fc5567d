// Operators and methods.
#include <cstdlib>

struct Buf {
	char *data;
	Buf() : data(new char[10]) {}
	~Buf() { delete[] data; }
};

struct Conn {
	int fd;
	void close() { delete this; }
};

static Conn *dial()
{
	return new Conn(); // by: p->close(), delete p
}

int buf(int n)
{
	Buf *b = new Buf(); // by: delete p; delete[] p
	if (n)
		return 1;
	delete b;
	return 0;
}

int array(int n)
{
	int *a = new int[n]; // by: delete[] p
	return a[0];
}

int conn(int n)
{
	Conn *c = dial(); // by: p->close(), delete p
	if (n)
		return 1;
	c->close();
	return 0;
}
