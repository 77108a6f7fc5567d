// A module with a variable that keeps what it is given.
void *kept;
void hold(void *p) { kept = p; }
