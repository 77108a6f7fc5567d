// Transfers, lists that grow, parts of URLs.
typedef void CURL;
typedef void CURLU;
struct curl_slist;
CURL *curl_easy_init(void);
int curl_easy_setopt(CURL *c, int option, ...);
int curl_easy_perform(CURL *c);
void curl_easy_cleanup(CURL *c);
struct curl_slist *curl_slist_append(struct curl_slist *list, const char *s);
void curl_slist_free_all(struct curl_slist *list);
int curl_url_get(CURLU *u, int part, char **out, unsigned flags);
void curl_free(void *p);
int puts(const char *s);

int get_leaky(const char *url)
{
    CURL *c = curl_easy_init(); // alloc: transfer
    if (!c)
        return -1;
    curl_easy_setopt(c, 10002, url);
    if (curl_easy_perform(c))
        return -2; // leak: transfer
    curl_easy_cleanup(c);
    return 0;
}

int get_clean(const char *url)
{
    CURL *c = curl_easy_init();
    if (!c)
        return -1;
    curl_easy_setopt(c, 10002, url);
    int e = curl_easy_perform(c);
    curl_easy_cleanup(c);
    return e;
}

int headers_leaky(CURL *c, int want)
{
    struct curl_slist *list = curl_slist_append(0, "A: b"); // alloc: list
    if (!list)
        return -1;
    if (!want)
        return 0; // leak: list
    curl_easy_setopt(c, 10023, list);
    int e = curl_easy_perform(c);
    curl_slist_free_all(list);
    return e;
}

int headers_clean(CURL *c, const char *more)
{
    struct curl_slist *list = curl_slist_append(0, "A: b");
    if (!list)
        return -1;
    struct curl_slist *l = curl_slist_append(list, more);
    if (!l) {
        curl_slist_free_all(list);
        return -1;
    }
    curl_easy_setopt(c, 10023, l);
    int e = curl_easy_perform(c);
    curl_slist_free_all(l);
    return e;
}

int host_leaky(CURLU *u)
{
    char *host;
    if (curl_url_get(u, 5, &host, 0)) // alloc: host
        return -1;
    puts(host);
    return 0; // leak: host
}

int host_clean(CURLU *u)
{
    char *host;
    if (curl_url_get(u, 5, &host, 0))
        return -1;
    puts(host);
    curl_free(host);
    return 0;
}
