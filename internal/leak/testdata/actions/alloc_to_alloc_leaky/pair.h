struct pair { struct pair *left, *right; };
struct pair *pair_new(void);
