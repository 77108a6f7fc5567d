// Contexts, numbers that a key takes when it succeeds, streams in a chain.
typedef struct evp_md_ctx_st EVP_MD_CTX;
typedef struct bignum_st BIGNUM;
typedef struct rsa_st RSA;
typedef struct bio_st BIO;
EVP_MD_CTX *EVP_MD_CTX_new(void);
void EVP_MD_CTX_free(EVP_MD_CTX *c);
const void *EVP_sha256(void);
int EVP_DigestInit_ex(EVP_MD_CTX *c, const void *m, void *e);
int EVP_DigestUpdate(EVP_MD_CTX *c, const void *s, unsigned long n);
int EVP_DigestFinal_ex(EVP_MD_CTX *c, unsigned char *d, unsigned *n);
BIGNUM *BN_new(void);
BIGNUM *BN_bin2bn(const unsigned char *s, int n, BIGNUM *d);
void BN_free(BIGNUM *n);
int RSA_set0_key(RSA *r, BIGNUM *n, BIGNUM *e, BIGNUM *d);
BIO *BIO_new(const void *m);
BIO *BIO_push(BIO *b, BIO *next);
const void *BIO_f_base64(void);
const void *BIO_s_mem(void);
int BIO_write(BIO *b, const void *s, int n);
void BIO_free_all(BIO *b);

int digest_leaky(const void *s, unsigned long n, unsigned char *d)
{
    EVP_MD_CTX *c = EVP_MD_CTX_new(); // alloc: context
    if (!c)
        return -1;
    if (!EVP_DigestInit_ex(c, EVP_sha256(), 0) || !EVP_DigestUpdate(c, s, n))
        return -2; // leak: context
    EVP_DigestFinal_ex(c, d, 0);
    EVP_MD_CTX_free(c);
    return 0;
}

int digest_clean(const void *s, unsigned long n, unsigned char *d)
{
    int e = -1;
    EVP_MD_CTX *c = EVP_MD_CTX_new();
    if (c && EVP_DigestInit_ex(c, EVP_sha256(), 0) && EVP_DigestUpdate(c, s, n) && EVP_DigestFinal_ex(c, d, 0))
        e = 0;
    EVP_MD_CTX_free(c);
    return e;
}

int key_leaky(RSA *r, const unsigned char *s)
{
    BIGNUM *n = BN_bin2bn(s, 16, 0); // alloc: n
    BIGNUM *e = BN_bin2bn(s, 4, 0); // alloc: e
    if (!RSA_set0_key(r, n, e, 0))
        return -1; // leak: n; leak: e
    return 0;
}

int key_clean(RSA *r, const unsigned char *s)
{
    BIGNUM *n = BN_bin2bn(s, 16, 0), *e = BN_bin2bn(s, 4, 0);
    if (!n || !e || !RSA_set0_key(r, n, e, 0)) {
        BN_free(n);
        BN_free(e);
        return -1;
    }
    return 0;
}

// A number that is given is used again.
int number_clean(BIGNUM *n, const unsigned char *s)
{
    return BN_bin2bn(s, 16, n) != 0;
}

int chain_leaky(const void *s, int n)
{
    BIO *f = BIO_new(BIO_f_base64()); // alloc: filter
    if (!f)
        return -1;
    BIO *m = BIO_new(BIO_s_mem());
    if (!m)
        return -1; // leak: filter
    f = BIO_push(f, m);
    BIO_write(f, s, n);
    BIO_free_all(f);
    return 0;
}

int chain_clean(const void *s, int n)
{
    BIO *f = BIO_new(BIO_f_base64());
    if (!f)
        return -1;
    BIO *m = BIO_new(BIO_s_mem());
    if (!m) {
        BIO_free_all(f);
        return -1;
    }
    BIO_push(f, m);
    BIO_write(f, s, n);
    BIO_free_all(f);
    return 0;
}
