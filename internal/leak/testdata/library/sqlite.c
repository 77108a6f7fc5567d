// Databases, statements and messages. A database that could not be opened has to be
// closed as well.
typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
int sqlite3_open(const char *path, sqlite3 **out);
int sqlite3_close(sqlite3 *db);
const char *sqlite3_errmsg(sqlite3 *db);
int sqlite3_prepare_v2(sqlite3 *db, const char *sql, int n, sqlite3_stmt **out, const char **tail);
int sqlite3_step(sqlite3_stmt *st);
int sqlite3_column_int(sqlite3_stmt *st, int i);
int sqlite3_finalize(sqlite3_stmt *st);
int sqlite3_exec(sqlite3 *db, const char *sql, int (*f)(void *, int, char **, char **), void *arg, char **err);
char *sqlite3_mprintf(const char *f, ...);
void sqlite3_free(void *p);
int puts(const char *s);

int open_leaky(const char *path)
{
    sqlite3 *db;
    if (sqlite3_open(path, &db)) { // alloc: db
        puts(sqlite3_errmsg(db));
        return -1; // leak: db "database opened by sqlite3_open and held by 'db'"
    }
    sqlite3_close(db);
    return 0;
}

int open_clean(const char *path)
{
    sqlite3 *db;
    int e = sqlite3_open(path, &db);
    if (e)
        puts(sqlite3_errmsg(db));
    sqlite3_close(db);
    return e;
}

int query_leaky(sqlite3 *db)
{
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(db, "select 1", -1, &st, 0)) // alloc: statement
        return -1;
    if (sqlite3_step(st) != 100)
        return -2; // leak: statement
    int n = sqlite3_column_int(st, 0);
    sqlite3_finalize(st);
    return n;
}

int query_clean(sqlite3 *db)
{
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(db, "select 1", -1, &st, 0))
        return -1;
    int n = sqlite3_step(st) == 100 ? sqlite3_column_int(st, 0) : -1;
    sqlite3_finalize(st);
    return n;
}

int exec_leaky(sqlite3 *db, int n)
{
    char *err = 0;
    char *sql = sqlite3_mprintf("delete from t where n = %d", n); // alloc: sql
    if (!sql)
        return -1;
    if (sqlite3_exec(db, sql, 0, 0, &err)) { // alloc: message
        puts(err);
        return -1; // leak: sql; leak: message
    }
    sqlite3_free(sql);
    return 0;
}

int exec_clean(sqlite3 *db, int n)
{
    char *err = 0;
    char *sql = sqlite3_mprintf("delete from t where n = %d", n);
    if (!sql)
        return -1;
    int e = sqlite3_exec(db, sql, 0, 0, &err);
    if (e) {
        puts(err);
        sqlite3_free(err);
    }
    sqlite3_free(sql);
    return e;
}
