struct box { char *content; };
extern char *pending;
struct box *box_up(void);
