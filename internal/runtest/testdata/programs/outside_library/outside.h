void outside_set(void *p);
int outside_scratch(void);
