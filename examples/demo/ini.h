/* A small reader of INI files: sections, keys and values. */
#ifndef INI_H
#define INI_H

struct entry {
    char *section;
    char *key;
    char *value;
    struct entry *next;
};

struct ini {
    struct entry *first;
    int count;
};

/* ini_load reads a file. It returns 0, or -1 with a message on stderr. */
int ini_load(struct ini *ini, const char *path);

/* ini_find returns the value of a key, or NULL. */
const char *ini_find(const struct ini *ini, const char *section, const char *key);

/* ini_clear releases all entries. */
void ini_clear(struct ini *ini);

#endif
