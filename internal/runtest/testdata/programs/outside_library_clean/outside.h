void outside_add(void *p);
void outside_each(int (*visit)(void *, void *), void *context);
void *outside_swap(void *p);
