// Calls through virtual tables and tables of operations.
struct Codec {
    virtual ~Codec() {}
    virtual int rate() const = 0;
};
struct Fast : Codec {
    int n = 1;
    int rate() const override { return n; }
};
struct Maker {
    virtual ~Maker() {}
    virtual Codec *make() const { return new Fast; }
};

int forgets(const Maker &m)
{
    Codec *k = m.make(); // alloc: made
    int r = k->rate();
    if (r > 0)
        return -1; // leak: made "Maker::make"
    delete k;
    return r;
}

struct ops {
    void *(*open)(int);
    void (*close)(void *);
};
static void *heap_open(int n) { return new char[n]; }
static void heap_close(void *p) { delete[] static_cast<char *>(p); }
static const ops heap = {heap_open, heap_close};

int drives(const ops *o)
{
    void *h = o->open(4);
    o->close(h);
    return 0;
}

int drives_badly(const ops *o, int n)
{
    void *h = o->open(4); // alloc: opened
    if (n < 0)
        return -1; // leak: opened
    o->close(h);
    return 0;
}

int main() {
    Maker m;
    forgets(m);
    drives(&heap);
    drives_badly(&heap, -1);
    return 0;
}
