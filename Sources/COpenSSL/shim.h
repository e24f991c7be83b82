// What is used of OpenSSL, with functions in place of the macros that Swift cannot import.
#pragma once
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

/// Sets the first and the last version of TLS that is spoken (SSL_CTX_set_min_proto_version(3)).
static inline int freshet_setVersions(SSL_CTX *context, int first, int last) {
    return SSL_CTX_set_min_proto_version(context, first) &&
           SSL_CTX_set_max_proto_version(context, last);
}

/// Sets and clears bits of the mode (SSL_CTX_set_mode(3)).
static inline void freshet_setMode(SSL_CTX *context, uint32_t set, uint32_t clear) {
    SSL_CTX_set_mode(context, set);
    SSL_CTX_clear_mode(context, clear);
}

/// Reads as much as has arrived with one call (SSL_CTX_set_read_ahead(3)).
static inline void freshet_setReadAhead(SSL_CTX *context) {
    SSL_CTX_set_read_ahead(context, 1);
}

/// Keeps no sessions: clients keep them, in tickets (SSL_CTX_set_session_cache_mode(3)).
static inline void freshet_keepNoSessions(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

/// Sets the groups for key exchange, the preferred one first (SSL_CTX_set1_groups_list(3)).
static inline int freshet_setGroups(SSL_CTX *context, const char *list) {
    return SSL_CTX_set1_groups_list(context, list);
}

/// Adds a certificate that leads from the server's to a trusted one (SSL_CTX_add1_chain_cert(3)).
static inline int freshet_addToChain(SSL_CTX *context, X509 *certificate) {
    return SSL_CTX_add1_chain_cert(context, certificate);
}

/// Says that a call on the BIO is to be made again (BIO_set_retry_read(3)).
static inline void freshet_setRetryRead(BIO *bio) {
    BIO_clear_retry_flags(bio);
    BIO_set_retry_read(bio);
}

/// Says that a call on the BIO is to be made again (BIO_set_retry_write(3)).
static inline void freshet_setRetryWrite(BIO *bio) {
    BIO_clear_retry_flags(bio);
    BIO_set_retry_write(bio);
}

/// Says that a call on the BIO is not to be made again (BIO_clear_retry_flags(3)).
static inline void freshet_clearRetry(BIO *bio) {
    BIO_clear_retry_flags(bio);
}

/// Sets the ways to sign, the preferred one first (SSL_CTX_set1_sigalgs_list(3)).
static inline int freshet_setSignatures(SSL_CTX *context, const char *list) {
    return SSL_CTX_set1_sigalgs_list(context, list);
}

/// The options of a server (SSL_CTX_set_options(3)).
static const uint64_t freshet_serverOptions =
    SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE |
    SSL_OP_PRIORITIZE_CHACHA;

/// The SHA-256 of some bytes (FIPS 180-4), without the look-ups by name of EVP_Digest(3), which
/// take several times as long as so short a text.
static inline void freshet_sha256(const unsigned char *bytes, size_t count, unsigned char *digest) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
    SHA256_CTX context;
    SHA256_Init(&context);
    SHA256_Update(&context, bytes, count);
    SHA256_Final(digest, &context);
#pragma clang diagnostic pop
}

/// The same of bytes that come in pieces.
typedef SHA256_CTX freshet_sha256_state;

static inline void freshet_sha256Begin(freshet_sha256_state *state) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
    SHA256_Init(state);
#pragma clang diagnostic pop
}

static inline void freshet_sha256Add(freshet_sha256_state *state, const void *bytes, size_t count) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
    SHA256_Update(state, bytes, count);
#pragma clang diagnostic pop
}

static inline void freshet_sha256End(freshet_sha256_state *state, unsigned char *digest) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
    SHA256_Final(digest, state);
#pragma clang diagnostic pop
}
