// A list of nodes owned by a class: its destructor frees them all, or only the
// first, or none.
struct Node {
    int value;
    Node *next;
    Node(int v, Node *n) : value(v), next(n) {}
};

class All {
    Node *head = nullptr;
public:
    void push(int v) { head = new Node(v, head); }
    ~All()
    {
        while (head) {
            Node *next = head->next;
            delete head;
            head = next;
        }
    }
};

class First {
    Node *head = nullptr;
public:
    void push(int v) { head = new Node(v, head); }
    ~First() { delete head; } // leak: older
};

class None {
    Node *head = nullptr;
public:
    void push(int v) { head = new Node(v, head); }
};

// Each node owns the next.
struct Link {
    Link *next;
    explicit Link(Link *n) : next(n) {}
    ~Link() { delete next; }
};

static void all()
{
    All l;
    l.push(1);
    l.push(2);
}

static void first()
{
    First l;
    l.push(1); // alloc: older
    l.push(2);
}

static void none()
{
    None l;
    l.push(1); // alloc: none
} // leak: none

static void links()
{
    Link *l = new Link(new Link(nullptr));
    delete l;
}

static void links_lost(bool keep)
{
    Link *l = new Link(nullptr); // alloc: link
    if (keep)
        return; // leak: link
    delete l;
}

int main()
{
    all();
    first();
    none();
    links();
    links_lost(false);
    links_lost(true);
    return 0;
}
