// clang: -target x86_64-pc-windows-msvc -fexceptions -fcxx-exceptions
// Exception handling by funclets: catchswitch, catchpad, cleanuppad and their returns.
struct Guard { ~Guard(); int n; };
int work(int);
int nested(int n) {
	Guard g{n};
	try {
		Guard inner{n + 1};
		try {
			return work(n);
		} catch (int e) {
			return work(e);
		}
	} catch (const char *) {
		throw;
	} catch (...) {
		return -1;
	}
}
