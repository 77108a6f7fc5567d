// C++: an index of words over the standard library: maps, hash maps, vectors,
// strings, lists, shared and unique pointers.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

struct Document {
	std::string title;
	std::vector<std::string> words;
};

struct Shape {
	virtual ~Shape() = default;
	virtual double area() const = 0;
};
struct Square : Shape {
	explicit Square(double s) : side(s) {}
	double area() const override { return side * side; }
	double side;
};
struct Group : Shape {
	double area() const override {
		double sum = 0;
		for (const auto &p : parts)
			sum += p->area();
		return sum;
	}
	std::vector<std::unique_ptr<Shape>> parts;
};

class Random {
public:
	unsigned operator()(unsigned below) {
		state_ = state_ * 6364136223846793005u + 1442695040888963407u;
		return static_cast<unsigned>(state_ >> 33) % below;
	}

private:
	uint64_t state_ = 7;
};

std::string word(unsigned n) {
	std::string w = "word";
	for (; n; n /= 26)
		w += static_cast<char>('a' + n % 26);
	return w;
}

std::unique_ptr<Shape> shape(Random &random, int depth) {
	if (depth == 0)
		return std::make_unique<Square>(random(9));
	auto group = std::make_unique<Group>();
	for (int i = 0; i < 4; i++)
		group->parts.push_back(shape(random, depth - 1));
	return group;
}

// The one leak: its copy is never released.
size_t configure(const char *name) {
	char *own = new char[std::strlen(name) + 1];
	std::strcpy(own, name);
	return std::strlen(own);
}

} // namespace

int main() {
	size_t sum = configure("stl");
	Random random;
	std::vector<std::shared_ptr<Document>> documents;
	std::map<std::string, std::vector<std::shared_ptr<Document>>> index;
	std::unordered_map<std::string, unsigned> counts;
	for (int i = 0; i < 20000; i++) {
		auto d = std::make_shared<Document>();
		d->title = "document number " + std::to_string(i);
		for (int n = 0; n < 60; n++) {
			d->words.push_back(word(random(50000)));
			counts[d->words.back()]++;
			if (n % 4 == 0)
				index[d->words.back()].push_back(d);
		}
		documents.push_back(std::move(d));
	}

	// The most recently used documents; others are dropped from the list.
	std::list<std::shared_ptr<Document>> recent;
	for (int i = 0; i < 1000000; i++) {
		recent.push_front(documents[random(documents.size())]);
		if (recent.size() > 100)
			recent.pop_back();
	}
	for (const auto &d : recent)
		sum += d->title.size();

	for (auto &[w, where] : index) {
		std::sort(where.begin(), where.end(), [](const auto &a, const auto &b) { return a->title < b->title; });
		sum += where.size() * w.size() + where.front()->title.back();
	}
	std::vector<std::pair<std::string, unsigned>> order(counts.begin(), counts.end());
	std::sort(order.begin(), order.end());
	for (const auto &[w, n] : order)
		sum = sum * 31 + n + w.back();
	documents.clear();
	while (!index.empty())
		index.erase(index.begin());

	double area = 0;
	for (int i = 0; i < 12; i++)
		area += shape(random, 8)->area();
	std::printf("stl %zu %.0f\n", sum, area);
	return 0;
}
