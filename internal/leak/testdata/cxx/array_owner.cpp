// An array of pointers in a class that grows; leaky: growing forgets the old
// array, clearing forgets the items.
#include <cstring>

struct Item { int n; };

class Items {
    Item **item = nullptr;
    int n = 0, cap = 0;
    void grow(bool forget)
    {
        int bigger = cap ? 2 * cap : 1;
        Item **p = new Item *[bigger];
        if (item)
            std::memcpy(p, item, sizeof *p * n);
        if (!forget)
            delete[] item;
        item = p;
        cap = bigger;
    }
public:
    void add(Item *i, bool forget = false)
    {
        if (n == cap)
            grow(forget);
        item[n++] = i;
    }
    void clear()
    {
        for (int i = 0; i < n; i++)
            delete item[i];
        n = 0;
    }
    void clearBadly() { n = 0; }
    ~Items()
    {
        clear();
        delete[] item;
    }
};

static void well()
{
    Items v;
    for (int i = 0; i < 5; i++)
        v.add(new Item{i});
    v.clear();
    v.add(new Item{9});
}

static void grown()
{
    Items v;
    v.add(new Item{1}); // alloc: array
    v.add(new Item{2}, true); // leak-missed: array
}

static void cleared()
{
    Items v;
    v.add(new Item{1}); // alloc: item
    v.clearBadly(); // leak-missed: item
}

int main()
{
    well();
    grown();
    cleared();
    return 0;
}
// limit-missed: in an array that a class grows, and its items
