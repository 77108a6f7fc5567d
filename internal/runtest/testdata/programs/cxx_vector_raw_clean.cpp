// Vectors of raw pointers through growth, insert, erase, sort, move and swap; every
// element is deleted once.
//
// run: =>
#include <algorithm>
#include <utility>
#include <vector>

struct Item { int n; long pad[2]; };

static std::vector<Item *> make(int n)
{
	std::vector<Item *> v;
	for (int i = 0; i < n; i++)
		v.push_back(new Item{ (i * 7) % 11, {} });
	return v;
}

int main()
{
	auto v = make(20), w = make(5);
	std::sort(v.begin(), v.end(), [](const Item *a, const Item *b) { return a->n < b->n; });
	v.insert(v.begin() + 3, w.begin(), w.end());
	w.clear();
	w.swap(v);
	auto mid = std::stable_partition(w.begin(), w.end(), [](const Item *i) { return i->n % 2; });
	std::for_each(mid, w.end(), [](Item *i) { delete i; });
	w.erase(mid, w.end());
	std::rotate(w.begin(), w.begin() + 2, w.end());
	std::vector<std::vector<Item *>> nested;
	nested.push_back(std::move(w));
	nested.push_back(make(3));
	nested.insert(nested.begin(), make(1));
	for (auto &row : nested)
		for (Item *i : row)
			delete i;
	return 0;
}
