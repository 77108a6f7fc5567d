#include "ini.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 256 };

static char *trim(char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    char *end = s + strlen(s);
    while (end > s && isspace((unsigned char)end[-1]))
        end--;
    *end = '\0';
    return s;
}

static int add(struct ini *ini, const char *section, const char *key, const char *value)
{
    struct entry *e = calloc(1, sizeof *e);
    if (!e)
        return -1;
    e->section = strdup(section);
    e->key = strdup(key);
    e->value = strdup(value);
    e->next = ini->first;
    ini->first = e;
    ini->count++;
    return 0;
}

int ini_load(struct ini *ini, const char *path)
{
    FILE *in = fopen(path, "r");
    if (!in) {
        perror(path);
        return -1;
    }
    char *line = malloc(LINE_SIZE);
    char *section = strdup("");
    int number = 0;
    if (!line || !section) {
        free(line);
        free(section);
        fclose(in);
        return -1;
    }
    while (fgets(line, LINE_SIZE, in)) {
        char *s = trim(line);
        number++;
        if (*s == '\0' || *s == '#')
            continue;
        if (*s == '[') {
            section = strdup(trim(s + 1)); /* the old section is lost */
            section[strcspn(section, "]")] = '\0';
            continue;
        }
        char *eq = strchr(s, '=');
        if (!eq) {
            fprintf(stderr, "%s:%d: no '=' here\n", path, number);
            fclose(in);
            return -1; /* line and section are forgotten */
        }
        *eq = '\0';
        if (add(ini, section, trim(s), trim(eq + 1)) != 0)
            break;
    }
    free(line);
    free(section);
    fclose(in);
    return 0;
}

const char *ini_find(const struct ini *ini, const char *section, const char *key)
{
    for (const struct entry *e = ini->first; e; e = e->next)
        if (strcmp(e->section, section) == 0 && strcmp(e->key, key) == 0)
            return e->value;
    return NULL;
}

void ini_clear(struct ini *ini)
{
    while (ini->first) {
        struct entry *e = ini->first;
        ini->first = e->next;
        free(e->section);
        free(e->key);
        free(e->value);
        free(e);
    }
    ini->count = 0;
}
