struct doc { char *title; char *body; };
char *part_text(int n);
void doc_init(struct doc *d);
void doc_title(struct doc *d, char *t);
void doc_close(struct doc *d);
