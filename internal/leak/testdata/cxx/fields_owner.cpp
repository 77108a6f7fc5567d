// A class that owns several blocks: constructor, destructor, assignment and reset.
// Leaky: the destructor leaves one out, an assignment forgets the old one.
#include <cstring>

static char *copy(const char *s)
{
    char *p = new char[std::strlen(s) + 1];
    std::strcpy(p, s);
    return p;
}

class User {
    char *name, *mail;
public:
    User(const char *n, const char *m) : name(copy(n)), mail(copy(m)) {}
    User(const User &) = delete;
    ~User()
    {
        delete[] name;
        delete[] mail;
    }
    void rename(const char *n)
    {
        delete[] name;
        name = copy(n);
    }
    void renameBadly(const char *n) { name = copy(n); }
};

class Half {
    char *name, *mail;
public:
    Half(const char *n, const char *m) : name(copy(n)), mail(copy(m)) {}
    ~Half() { delete[] name; }
    int size() const { return (int)std::strlen(mail); }
};

static void well()
{
    User u("n", "m");
    u.rename("o");
    User *v = new User("n", "m");
    v->rename("p");
    delete v;
}

static void renamed()
{
    User u("n", "m"); // alloc: name
    u.renameBadly("o"); // leak: name
}

static int half()
{
    Half h("n", "m"); // alloc: mail
    return h.size();
} // leak: mail

static int half_new()
{
    Half *h = new Half("n", "m"); // alloc: heap
    int n = h->size();
    delete h; // leak: heap
    return n;
}

int main()
{
    well();
    renamed();
    half();
    half_new();
    return 0;
}
