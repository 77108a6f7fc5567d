// A little program with strings, streams, maps, sets, sorting and smart pointers, as
// real ones are: nothing may be reported.
//
// run: =>
#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <unordered_set>
#include <vector>

struct Shape {
	virtual ~Shape() = default;
	virtual double area() const = 0;
	std::shared_ptr<Shape> next;
};
struct Square : Shape {
	double s;
	std::string name;
	explicit Square(double s) : s(s), name(40, 's') {}
	double area() const override { return s * s; }
};

int main()
{
	std::istringstream in("the quick brown fox jumps over the lazy dog and the cat looks on");
	std::vector<std::string> words((std::istream_iterator<std::string>(in)), {});
	std::map<std::string, std::vector<size_t>> index;
	for (size_t i = 0; i < words.size(); i++)
		index[words[i]].push_back(i);
	std::set<std::string> sorted(words.begin(), words.end());
	std::unordered_set<std::string> seen(sorted.begin(), sorted.end());
	std::shared_ptr<Shape> head;
	for (int i = 0; i < 50; i++) {
		auto s = std::make_shared<Square>(i);
		s->next = head;
		head = s;
	}
	double sum = 0;
	for (auto s = head; s; s = s->next)
		sum += s->area();
	std::ostringstream out;
	for (auto &[w, at] : index)
		out << w << ':' << at.size() << ' ';
	std::regex re("(\\w+):(\\d+)");
	std::smatch m;
	std::string text = out.str();
	int n = 0;
	for (auto it = text.cbegin(); std::regex_search(it, text.cend(), m, re); it = m[0].second)
		n += std::stoi(m[2]);
	std::cout << n << ' ' << sum << ' ' << seen.size() << std::endl;
	return 0;
}
