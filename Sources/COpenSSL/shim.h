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

#endif
