// Documents, strings and nodes.
typedef struct doc doc;
typedef struct node node;
doc *xmlReadFile(const char *path, const char *encoding, int options);
void xmlFreeDoc(doc *d);
node *xmlDocGetRootElement(doc *d);
char *xmlGetProp(node *n, const char *name);
extern void (*xmlFree)(void *p);
node *xmlNewNode(void *ns, const char *name);
node *xmlAddChild(node *n, node *child);
void xmlFreeNode(node *n);
int puts(const char *s);

int read_leaky(const char *path)
{
    doc *d = xmlReadFile(path, 0, 0); // alloc: document
    if (!d)
        return -1;
    node *n = xmlDocGetRootElement(d);
    if (!n)
        return -2; // leak: document
    xmlFreeDoc(d);
    return 0;
}

int read_clean(const char *path)
{
    doc *d = xmlReadFile(path, 0, 0);
    if (!d)
        return -1;
    node *n = xmlDocGetRootElement(d);
    int e = n ? 0 : -2;
    xmlFreeDoc(d);
    return e;
}

int property_leaky(node *n)
{
    char *s = xmlGetProp(n, "id"); // alloc: property
    if (!s)
        return -1;
    puts(s);
    return 0; // leak: property
}

int property_clean(node *n)
{
    char *s = xmlGetProp(n, "id");
    if (!s)
        return -1;
    puts(s);
    xmlFree(s);
    return 0;
}

int child_leaky(node *n, int want)
{
    node *c = xmlNewNode(0, "a"); // alloc: child
    if (!c)
        return -1;
    if (!want)
        return 0; // leak: child
    if (!xmlAddChild(n, c)) {
        xmlFreeNode(c);
        return -1;
    }
    return 0;
}

int child_clean(node *n)
{
    node *c = xmlNewNode(0, "a");
    if (!c)
        return -1;
    if (!xmlAddChild(n, c)) {
        xmlFreeNode(c);
        return -1;
    }
    return 0;
}
