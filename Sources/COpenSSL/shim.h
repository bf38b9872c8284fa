// OpenSSL 3. Many of its functions are macros, which Swift cannot call: those that are used stand here as functions.
#ifndef HOMEPORT_OPENSSL_H
#define HOMEPORT_OPENSSL_H

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Constant time.

// Reads a whole table for one of its entries, so that nothing tells which. A compiler that may know what the mask is makes a
// branch of it, and jumps over what it hides.
static inline void homeport_look_up(unsigned long long *entry, const unsigned long long *table, size_t entries,
                                    size_t words, unsigned long long index) {
    for (size_t word = 0; word < words; word++) entry[word] = 0;
    for (size_t other = 0; other < entries; other++) {
        unsigned long long mask = 0 - (((index ^ other) - 1) >> 63);
        __asm__ volatile("" : "+r"(mask));
        for (size_t word = 0; word < words; word++) entry[word] |= table[other * words + word] & mask;
    }
}

// SHA-256 in memory of the caller's. OpenSSL has called these functions deprecated since its version 3; its new ones allocate and
// free twice for each digest, which takes longer than the digest of a short message.

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

static inline int homeport_sha256_begin(SHA256_CTX *state) { return SHA256_Init(state); }

static inline int homeport_sha256_add(SHA256_CTX *state, const void *bytes, size_t count) {
    return SHA256_Update(state, bytes, count);
}

static inline int homeport_sha256_end(SHA256_CTX *state, unsigned char *digest) { return SHA256_Final(digest, state); }

#pragma clang diagnostic pop

// TLS contexts. Options and modes are macros with casts that Swift does not import.

static inline void homeport_tls_harden(SSL_CTX *context) {
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_PRIORITIZE_CHACHA);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                  SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_read_ahead(context, 1);
}

static const unsigned char homeport_alpn_served[] = {2, 'h', '2', 8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
static const unsigned char homeport_alpn_asked[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

static inline int homeport_alpn_select(SSL *session, const unsigned char **chosen, unsigned char *chosenLength,
                                       const unsigned char *offered, unsigned int offeredLength, void *unused) {
    (void)session;
    (void)unused;
    unsigned char *found = NULL;
    int answer = SSL_select_next_proto(&found, chosenLength, homeport_alpn_served, sizeof homeport_alpn_served,
                                       offered, offeredLength);
    if (answer != OPENSSL_NPN_NEGOTIATED) return SSL_TLSEXT_ERR_ALERT_FATAL;
    *chosen = found;
    return SSL_TLSEXT_ERR_OK;
}

static inline void homeport_tls_serve_http(SSL_CTX *context) {
    SSL_CTX_set_alpn_select_cb(context, homeport_alpn_select, NULL);
}

static inline int homeport_tls_ask_for_http1(SSL_CTX *context) {
    return SSL_CTX_set_alpn_protos(context, homeport_alpn_asked, sizeof homeport_alpn_asked) == 0;
}

static inline int homeport_alpn_is_http2(const SSL *session) {
    const unsigned char *chosen = NULL;
    unsigned int count = 0;
    SSL_get0_alpn_selected(session, &chosen, &count);
    return count == 2 && chosen[0] == 'h' && chosen[1] == '2';
}

static inline int homeport_tls_add_chain_certificate(SSL_CTX *context, X509 *certificate) {
    return (int)SSL_CTX_add1_chain_cert(context, certificate);
}

static inline int homeport_tls_set_server_name(SSL *session, const char *name) {
    return (int)SSL_set_tlsext_host_name(session, name);
}

// A session keeps the certificate that it refuses, so that the error can say whose it is: OpenSSL itself keeps it only
// after it was found good.
static inline int homeport_tls_keep_refused(int isGood, X509_STORE_CTX *verification) {
    if (isGood || X509_STORE_CTX_get_error_depth(verification) != 0) return isGood;
    SSL *session = (SSL *)X509_STORE_CTX_get_ex_data(verification, SSL_get_ex_data_X509_STORE_CTX_idx());
    X509 *certificate = X509_STORE_CTX_get_current_cert(verification);
    if (session != NULL && certificate != NULL && SSL_get_app_data(session) == NULL && X509_up_ref(certificate) == 1)
        SSL_set_app_data(session, certificate);
    return 0;
}

static inline void homeport_tls_verify_peer(SSL_CTX *context) {
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, homeport_tls_keep_refused);
}

static inline X509 *homeport_tls_take_refused(SSL *session) {
    X509 *certificate = (X509 *)SSL_get_app_data(session);
    SSL_set_app_data(session, NULL);
    return certificate;
}

// Certificates and keys.

static inline int homeport_no_passphrase(char *buffer, int size, int writing, void *unused) {
    (void)buffer;
    (void)size;
    (void)writing;
    (void)unused;
    return -1;
}

static inline EVP_PKEY *homeport_generate_p256_key(void) { return EVP_EC_gen("P-256"); }

static inline EVP_PKEY *homeport_generate_rsa_key(size_t bits) { return EVP_RSA_gen(bits); }

static inline EVP_PKEY *homeport_public_key(const char *kind, OSSL_PARAM_BLD *builder) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, kind, NULL);
    if (parameters != NULL && context != NULL && EVP_PKEY_fromdata_init(context) == 1)
        EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters);
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(parameters);
    return key;
}

static inline EVP_PKEY *homeport_rsa_public_key(const unsigned char *modulus, size_t modulusLength,
                                                const unsigned char *exponent, size_t exponentLength) {
    EVP_PKEY *key = NULL;
    BIGNUM *n = BN_bin2bn(modulus, (int)modulusLength, NULL);
    BIGNUM *e = BN_bin2bn(exponent, (int)exponentLength, NULL);
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    if (n != NULL && e != NULL && builder != NULL && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) == 1 &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e) == 1)
        key = homeport_public_key("RSA", builder);
    OSSL_PARAM_BLD_free(builder);
    BN_free(n);
    BN_free(e);
    return key;
}

// The point is in the uncompressed form. OpenSSL refuses one that is not on the curve.
static inline EVP_PKEY *homeport_ec_public_key(const char *curve, const unsigned char *point, size_t pointLength) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    if (builder != NULL && OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, curve, 0) == 1 &&
        OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, pointLength) == 1)
        key = homeport_public_key("EC", builder);
    OSSL_PARAM_BLD_free(builder);
    return key;
}

// One of "n" and "e" of an RSA key, in big-endian bytes; 0 when it does not fit or is not there.
static inline int homeport_rsa_number(const EVP_PKEY *key, const char *name, unsigned char *bytes, size_t capacity) {
    BIGNUM *number = NULL;
    if (EVP_PKEY_get_bn_param(key, name, &number) != 1) return 0;
    int length = BN_num_bytes(number);
    if (length > 0 && (size_t)length <= capacity)
        BN_bn2bin(number, bytes);
    else
        length = 0;
    BN_free(number);
    return length;
}

static inline int homeport_is_rsa(const EVP_PKEY *key) { return EVP_PKEY_is_a(key, "RSA"); }

static inline int homeport_is_p256_or_p384(const EVP_PKEY *key, const char *curve) {
    char name[32];
    size_t length = 0;
    return EVP_PKEY_is_a(key, "EC") && EVP_PKEY_get_group_name(key, name, sizeof name, &length) == 1 &&
           OPENSSL_strcasecmp(name, curve) == 0;
}

// The form of an ECDSA signature that OpenSSL verifies, of the two numbers that JSON Web Tokens carry, joined.
static inline int homeport_ecdsa_der(const unsigned char *joined, size_t half, unsigned char *bytes, int capacity) {
    int length = 0;
    ECDSA_SIG *signature = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(joined, (int)half, NULL);
    BIGNUM *s = BN_bin2bn(joined + half, (int)half, NULL);
    if (signature != NULL && r != NULL && s != NULL && ECDSA_SIG_set0(signature, r, s) == 1) {
        length = i2d_ECDSA_SIG(signature, NULL);
        if (length > 0 && length <= capacity) {
            unsigned char *place = bytes;
            length = i2d_ECDSA_SIG(signature, &place);
        } else {
            length = 0;
        }
    } else {
        BN_free(r);
        BN_free(s);
    }
    ECDSA_SIG_free(signature);
    return length;
}

// The two numbers of an ECDSA signature, joined.
static inline int homeport_ecdsa_joined(const unsigned char *der, long derLength, unsigned char *joined, int half) {
    const unsigned char *place = der;
    ECDSA_SIG *signature = d2i_ECDSA_SIG(NULL, &place, derLength);
    if (signature == NULL) return 0;
    int made = BN_bn2binpad(ECDSA_SIG_get0_r(signature), joined, half) == half &&
               BN_bn2binpad(ECDSA_SIG_get0_s(signature), joined + half, half) == half;
    ECDSA_SIG_free(signature);
    return made;
}

static inline const unsigned char *homeport_memory_bytes(BIO *memory, long *length) {
    char *bytes = NULL;
    *length = BIO_get_mem_data(memory, &bytes);
    return (const unsigned char *)bytes;
}

// An extension in OpenSSL's configuration language: the caller vouches for the text.
static inline int homeport_add_extension(X509 *certificate, X509 *issuer, int kind, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    if (extension == NULL) return 0;
    int added = X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return added;
}

#endif
