// Multiple and virtual inheritance: the only pointer is to a base inside the object.
// Kept it holds the object, overwritten it loses it.
//
// run: => A=1/? ~B=1/?
struct Root { long r = 1; virtual ~Root() {} };
struct Left : virtual Root { long l = 2; };
struct Right : virtual Root { long x = 3; virtual long get() { return x; } };
struct Both : Left, Right { long b = 4; long get() override { return b; } };

static Right *current;
static Root *kept;

int main()
{
	current = new Both; // alloc: A
	long n = current->get();
	current = nullptr; // leak: A
	kept = new Both; // alloc: B
	n += kept->r; // forgotten: B
	return n != 5;
}
