// Trees, and what is put into them.
typedef struct cJSON cJSON;
cJSON *cJSON_Parse(const char *s);
cJSON *cJSON_CreateObject(void);
cJSON *cJSON_CreateString(const char *s);
int cJSON_AddItemToObject(cJSON *o, const char *name, cJSON *t);
cJSON *cJSON_GetObjectItem(cJSON *o, const char *name);
char *cJSON_PrintUnformatted(const cJSON *t);
void cJSON_Delete(cJSON *t);
void cJSON_free(void *p);
void free(void *p);
int puts(const char *s);

int parse_leaky(const char *s)
{
    cJSON *t = cJSON_Parse(s); // alloc: tree
    if (!t)
        return -1;
    if (!cJSON_GetObjectItem(t, "id"))
        return -2; // leak: tree
    cJSON_Delete(t);
    return 0;
}

int parse_clean(const char *s)
{
    cJSON *t = cJSON_Parse(s);
    int found = t && cJSON_GetObjectItem(t, "id");
    cJSON_Delete(t);
    return found;
}

int print_leaky(const cJSON *t)
{
    char *s = cJSON_PrintUnformatted(t); // alloc: text
    if (!s)
        return -1;
    puts(s);
    return 0; // leak: text
}

int print_clean(const cJSON *t)
{
    char *s = cJSON_PrintUnformatted(t);
    if (!s)
        return -1;
    puts(s);
    cJSON_free(s);
    return 0;
}

int add_leaky(cJSON *o, const char *s)
{
    cJSON *t = cJSON_CreateString(s); // alloc: item
    if (!t)
        return -1;
    if (!cJSON_AddItemToObject(o, "s", t))
        return -1; // leak: item
    return 0;
}

int add_clean(cJSON *o, const char *s)
{
    cJSON *t = cJSON_CreateString(s);
    if (!cJSON_AddItemToObject(o, "s", t)) {
        cJSON_Delete(t);
        return -1;
    }
    return 0;
}
