// As idiom_global_chooses_result.c, but what runs in between sets the global.
#include <stdio.h>
#include <stdlib.h>

FILE *output_stream;
static int verbose;

static void cleanup(void)
{
    if (output_stream && output_stream != stderr) {
        FILE *fp = output_stream;
        output_stream = NULL;
        fclose(fp);
    }
}

static int open_output(const char *name, FILE **fp)
{
    if (!output_stream) {
        *fp = fopen(name, "wb");
        if (!*fp)
            return -1;
    } else
        *fp = output_stream;
    return 0;
}

static void bar(void) { verbose++; output_stream = stdout; }
static void dots(void) { verbose--; }
static struct progress { void (*update)(void); } kinds[] = { { bar }, { dots } };

static int body(FILE *fp, int kind)
{
    kinds[kind].update();
    return fputs("x", fp);
}

int get(const char *name, int kind)
{
    FILE *fp = NULL;
    int err;

    if (open_output(name, &fp)) // alloc: o0; not-run: o0
        return -1;
    err = body(fp, kind);
    if (!output_stream)
        fclose(fp);
    return err; // leak: o0
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        output_stream = fopen(argv[1], "wb");
        if (!output_stream)
            return 1;
    }
    int r = get("/dev/null", argc > 2);
    cleanup();
    return r < 0;
}
