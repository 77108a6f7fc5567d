// A destructor runs when the scope of its object has ended.
class Status {
public:
    Status() : text(nullptr) {}
    explicit Status(int n) : text(new char[n]) {}
    ~Status() { delete[] text; }
    bool ok() const { return text == nullptr; }
private:
    char *text;
};

static Status decode(int n)
{
    if (n > 3)
        return Status(n);
    return Status();
}

int use(int n, int limit)
{
    int result = 0;
    if (n < limit) {
        Status s = decode(n);
        if (s.ok()) {
            result = 1;
        } else {
            result = 2;
        }
    }
    return result;
}

// Without one, what a member points to is lost with the object.
struct Raw {
    char *text;
    explicit Raw(int n) : text(new char[n]) {}
};

int forgets(int n)
{
    Raw r(n); // alloc: raw
    r.text[0] = 0;
    return r.text[0]; // leak: raw "held by 'r.text'"
}

// A move assignment that forgets what was there; the repaired one releases it.
struct Blob {
    int *p;
    explicit Blob(int n) : p(new int[n]) {}
    Blob &operator=(Blob &&o) noexcept
    {
        p = o.p; // leak: moved "a.p"
        o.p = nullptr;
        return *this;
    }
    ~Blob() { delete[] p; }
};
struct Better {
    int *p;
    explicit Better(int n) : p(new int[n]) {}
    Better &operator=(Better &&o) noexcept
    {
        delete[] p;
        p = o.p;
        o.p = nullptr;
        return *this;
    }
    ~Better() { delete[] p; }
};

void moves()
{
    Blob a(4), b(8); // alloc: moved
    a = static_cast<Blob &&>(b);
}

void moves_well()
{
    Better a(4), b(8);
    a = static_cast<Better &&>(b);
}
