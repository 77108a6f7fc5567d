// The attribute malloc: what such a function returns is new, unless it is given a
// pointer, which may be a pool that owns it.
#include <stdlib.h>
#include <string.h>

__attribute__((malloc)) char *lib_block(size_t n);
void lib_block_free(char *p);

__attribute__((malloc)) char *lib_pool_block(char **pool, size_t n);

int block_leaky(int n)
{
    char *p = lib_block(16); // alloc: block
    if (!p)
        return -1;
    memset(p, 0, 16);
    if (n < 0)
        return -2; // leak: block
    lib_block_free(p);
    return 0;
}

int block_clean(int n)
{
    char *p = lib_block(16);
    if (!p)
        return -1;
    memset(p, n, 16);
    lib_block_free(p);
    return 0;
}

int pool_clean(int n)
{
    char *pool;
    char *p = lib_pool_block(&pool, 16);
    if (!p)
        return -1;
    memset(p, n, 16);
    free(pool);
    return 0;
}

int main(void)
{
    block_leaky(-1);
    block_leaky(1);
    block_clean(1);
    pool_clean(1);
    return 0;
}
