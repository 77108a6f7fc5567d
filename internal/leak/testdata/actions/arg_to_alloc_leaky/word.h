struct word { char *text; };
struct word *word_of(char *text);
