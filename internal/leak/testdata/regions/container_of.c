// What is linked is a member, and the block is found again from it.
#include <stddef.h>
#include <stdlib.h>

#define CONTAINER(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

struct link { struct link *next; };
struct job { int id; struct link link; };
struct queue { struct link *first; };

static void push(struct queue *q, struct link *l)
{
    l->next = q->first;
    q->first = l;
}

static struct link *pop(struct queue *q)
{
    struct link *l = q->first;
    if (l)
        q->first = l->next;
    return l;
}

static struct job *job_new(int id)
{
    struct job *j = malloc(sizeof *j);
    if (!j)
        abort();
    j->id = id;
    return j;
}

static void by_member(void)
{
    struct job *j = job_new(1);
    struct link *l = &j->link;
    free(CONTAINER(l, struct job, link));
}

static void by_queue(void)
{
    struct queue q = { NULL };
    struct job *j = job_new(2);
    push(&q, &j->link);
    struct link *l = pop(&q);
    if (l)
        free(CONTAINER(l, struct job, link));
}

static void member_lost(void)
{
    struct job *j = job_new(3); // alloc: member
    struct link *l = &j->link;
    j = NULL;
    l->next = NULL;
} // leak: member

static void queue_lost(void)
{
    struct queue q = { NULL };
    struct job *j = job_new(4); // alloc: queued
    push(&q, &j->link);
} // leak: queued

static int popped_lost(void)
{
    struct queue q = { NULL };
    struct job *j = job_new(5); // alloc: popped
    push(&q, &j->link);
    j = NULL;
    struct link *l = pop(&q);
    return l ? CONTAINER(l, struct job, link)->id : 0; // leak: popped
}

int main(void)
{
    by_member();
    by_queue();
    member_lost();
    queue_lost();
    popped_lost();
    return 0;
}
