// OpenSSL 3. Many of its functions are macros, which Swift cannot call: those that are used stand here as functions.
#ifndef HOMEPORT_OPENSSL_H
#define HOMEPORT_OPENSSL_H

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// TLS contexts. Options and modes are macros with casts that Swift does not import.

static inline void homeport_tls_harden(SSL_CTX *context) {
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_PRIORITIZE_CHACHA);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                  SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_read_ahead(context, 1);
}

static const unsigned char homeport_alpn_protocols[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

static inline int homeport_alpn_select(SSL *session, const unsigned char **chosen, unsigned char *chosenLength,
                                       const unsigned char *offered, unsigned int offeredLength, void *unused) {
    (void)session;
    (void)unused;
    unsigned char *found = NULL;
    int answer = SSL_select_next_proto(&found, chosenLength, homeport_alpn_protocols, sizeof homeport_alpn_protocols,
                                       offered, offeredLength);
    if (answer != OPENSSL_NPN_NEGOTIATED) return SSL_TLSEXT_ERR_ALERT_FATAL;
    *chosen = found;
    return SSL_TLSEXT_ERR_OK;
}

static inline void homeport_tls_serve_http1(SSL_CTX *context) {
    SSL_CTX_set_alpn_select_cb(context, homeport_alpn_select, NULL);
}

static inline int homeport_tls_ask_for_http1(SSL_CTX *context) {
    return SSL_CTX_set_alpn_protos(context, homeport_alpn_protocols, sizeof homeport_alpn_protocols) == 0;
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
