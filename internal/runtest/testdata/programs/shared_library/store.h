void store_set(char *p);
char *store_make(int n);
