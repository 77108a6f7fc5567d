// The state inside of a z_stream, and gzip files.
#include <stddef.h>

typedef struct { unsigned char *next_in; unsigned avail_in; unsigned long total_in; unsigned char *next_out; unsigned avail_out;
    unsigned long total_out; char *msg; void *state; void *zalloc, *zfree, *opaque; int data_type; unsigned long adler, reserved; } z_stream;
int inflateInit_(z_stream *s, const char *version, int size);
int inflate(z_stream *s, int flush);
int inflateEnd(z_stream *s);
void *gzopen(const char *path, const char *mode);
int gzread(void *f, void *d, unsigned n);
int gzclose(void *f);

int inflate_leaky(unsigned char *in, unsigned n, unsigned char *out)
{
    z_stream s = {0};
    s.next_in = in;
    s.avail_in = n;
    if (inflateInit_(&s, "1.2.11", sizeof s)) // alloc: state
        return -1;
    s.next_out = out;
    s.avail_out = n;
    if (inflate(&s, 4) != 1)
        return -2; // leak: state "inflate state opened by inflateInit_ and held by 's'"
    return inflateEnd(&s);
}

int inflate_clean(unsigned char *in, unsigned n, unsigned char *out)
{
    z_stream s = {0};
    if (inflateInit_(&s, "1.2.11", sizeof s))
        return -1;
    s.next_in = in;
    s.avail_in = n;
    s.next_out = out;
    s.avail_out = n;
    int e = inflate(&s, 4);
    inflateEnd(&s);
    return e;
}

int gzip_leaky(const char *path, char *d)
{
    void *f = gzopen(path, "r"); // alloc: gzip
    if (!f)
        return -1;
    if (gzread(f, d, 16) < 0)
        return -2; // leak: gzip
    return gzclose(f);
}

int gzip_clean(const char *path, char *d)
{
    void *f = gzopen(path, "r");
    if (!f)
        return -1;
    int n = gzread(f, d, 16);
    gzclose(f);
    return n;
}
