void hold(char *p);
void hold_here(char *p);
void hold_free(char *p);
