// Maps that own their pointers: replaced after delete, erased after delete, extracted,
// rehashed, and deleted by the destructor.
//
// run: =>
#include <map>
#include <string>
#include <unordered_map>

struct Value { long n[3]; };

struct Cache {
	std::unordered_map<std::string, Value *> all;
	~Cache()
	{
		for (auto &[name, v] : all)
			delete v;
	}
	void set(const std::string &name, Value *v)
	{
		auto it = all.find(name);
		if (it != all.end()) {
			delete it->second;
			it->second = v;
		} else {
			all.emplace(name, v);
		}
	}
	Value *take(const std::string &name)
	{
		auto node = all.extract(name);
		return node ? node.mapped() : nullptr;
	}
};

int main()
{
	Cache c;
	for (int i = 0; i < 100; i++)
		c.set("key" + std::to_string(i % 70), new Value{ { i } });
	delete c.take("key3");
	std::map<long, Value *> m;
	for (long i = 0; i < 30; i++)
		m[i * 17 % 31] = new Value;
	for (auto it = m.begin(); it != m.end();) {
		delete it->second;
		it = m.erase(it);
	}
	return 0;
}
