// Destructors: one forgets a member, a base class without a virtual one is skipped by
// composition, an array's elements each lose theirs.
//
// run: => A=1/10 B=1/20 C=3/90
struct Forgets {
	char *kept, *forgotten;
	Forgets() : kept(new char[5]), forgotten(new char[10]) {} // alloc: A
	~Forgets() { delete[] kept; }
};

struct Holder {
	char *p = new char[20]; // alloc: B
	int n = 0;
};

struct Cell {
	char *p = nullptr;
	~Cell() { p = nullptr; } // leak: C
};

static int scope()
{
	Holder h;
	h.p[0] = 1;
	return h.n; // leak: B
}

int main()
{
	Forgets *f = new Forgets;
	delete f; // leak: A
	Cell *cells = new Cell[3];
	for (int i = 0; i < 3; i++)
		cells[i].p = new char[30]; // alloc: C
	delete[] cells;
	return scope();
}
