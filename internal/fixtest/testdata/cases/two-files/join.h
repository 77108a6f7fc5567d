char *join(const char *a, const char *b);
