// A callee frees on one path, the caller on one path: on some path neither does.
// paper: SMOKE, figure 5: leak candidate at the end of the scope
#include <stdio.h>
#include <stdlib.h>

static void finish(int *job, int now)
{
    if (now)
        free(job);
}

static void run(int now, int later)
{
    int *job = malloc(sizeof *job); // alloc: job
    if (!job)
        return;
    finish(job, now);
    printf("%d\n", later);
    if (!now && later)
        free(job);
    puts("done");
} // leak: job

static int finished(int *job, int now)
{
    if (now)
        free(job);
    return now;
}

static void run_well(int now)
{
    int *job = malloc(sizeof *job);
    if (!job)
        return;
    if (!finished(job, now))
        free(job);
}

int main(void)
{
    run(1, 0);
    run(0, 1);
    run(0, 0);
    run_well(0);
    run_well(1);
    return 0;
}
