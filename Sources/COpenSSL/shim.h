// What is used of OpenSSL, with functions in place of the macros that Swift cannot import.
#pragma once
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <string.h>

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

/// Uses the certificate of another context, with its key and chain (SSL_CTX_use_cert_and_key(3)).
static inline int freshet_copyCertificate(SSL_CTX *from, SSL_CTX *to) {
    STACK_OF(X509) *chain = NULL;
    return SSL_CTX_get0_chain_certs(from, &chain) == 1 &&
           SSL_CTX_use_cert_and_key(to, SSL_CTX_get0_certificate(from),
                                    SSL_CTX_get0_privatekey(from), chain, 1) == 1;
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

/// The state of a digest of bytes that come in pieces.
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

/// Reads a public key in PEM (RFC 7468 §13) and writes it as DER.
///
/// Returns the number of bytes, 0 for none, and -1 for a key of another kind than Ed25519 or P-256;
/// `isEd25519` says which of the two.
static inline int freshet_publicKey(const void *pem, size_t count, unsigned char *der,
                                    size_t capacity, int *isEd25519) {
    BIO *bio = BIO_new_mem_buf(pem, (int)count);
    EVP_PKEY *key = bio ? PEM_read_bio_PUBKEY(bio, NULL, NULL, NULL) : NULL;
    int length = 0;
    if (key) {
        char group[32] = "";
        EVP_PKEY_get_group_name(key, group, sizeof group, NULL);
        *isEd25519 = EVP_PKEY_is_a(key, "ED25519");
        int isP256 = EVP_PKEY_is_a(key, "EC") && strcmp(group, "prime256v1") == 0;
        length = *isEd25519 || isP256 ? i2d_PUBKEY(key, NULL) : -1;
        if (length > 0) length = (size_t)length <= capacity ? i2d_PUBKEY(key, &der) : 0;
    }
    EVP_PKEY_free(key);
    BIO_free(bio);
    ERR_clear_error();
    return length;
}

/// Whether a signature is that of a text by a public key in DER (EVP_DigestVerify(3)); of P-256 the
/// signature is r and s, of 32 bytes each (RFC 7518 §3.4).
static inline int freshet_isSigned(const unsigned char *key, size_t keyCount, int isEd25519,
                                   const unsigned char *text, size_t count,
                                   const unsigned char *signature) {
    EVP_PKEY *publicKey = d2i_PUBKEY(NULL, &key, (long)keyCount);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    unsigned char *der = NULL;
    int length = 64;
    if (!isEd25519) {
        ECDSA_SIG *pair = ECDSA_SIG_new();
        BIGNUM *r = BN_bin2bn(signature, 32, NULL), *s = BN_bin2bn(signature + 32, 32, NULL);
        if (pair && r && s && ECDSA_SIG_set0(pair, r, s)) {
            length = i2d_ECDSA_SIG(pair, &der);
        } else {
            BN_free(r);
            BN_free(s);
            length = 0;
        }
        ECDSA_SIG_free(pair);
    }
    const EVP_MD *digest = isEd25519 ? NULL : EVP_sha256();
    int isRight =
        publicKey && context && length > 0 &&
        EVP_DigestVerifyInit(context, NULL, digest, NULL, publicKey) == 1 &&
        EVP_DigestVerify(context, isEd25519 ? signature : der, (size_t)length, text, count) == 1;
    OPENSSL_free(der);
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(publicKey);
    ERR_clear_error();
    return isRight;
}

/// Signs a text with a private key in PEM, of Ed25519 or P-256, as freshet_isSigned has it.
///
/// Returns whether it could; `isEd25519` says which of the two.
static inline int freshet_sign(const void *pem, size_t pemCount, const unsigned char *text,
                               size_t count, unsigned char *signature, int *isEd25519) {
    BIO *bio = BIO_new_mem_buf(pem, (int)pemCount);
    EVP_PKEY *key = bio ? PEM_read_bio_PrivateKey(bio, NULL, NULL, "") : NULL;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    unsigned char output[128];
    size_t length = sizeof output;
    char group[32] = "";
    int isSigned = 0;
    if (key) EVP_PKEY_get_group_name(key, group, sizeof group, NULL);
    *isEd25519 = key && EVP_PKEY_is_a(key, "ED25519");
    int isP256 = key && EVP_PKEY_is_a(key, "EC") && strcmp(group, "prime256v1") == 0;
    const EVP_MD *digest = *isEd25519 ? NULL : EVP_sha256();
    if (context && (*isEd25519 || isP256) &&
        EVP_DigestSignInit(context, NULL, digest, NULL, key) == 1 &&
        EVP_DigestSign(context, output, &length, text, count) == 1) {
        if (*isEd25519) {
            memcpy(signature, output, 64);
            isSigned = 1;
        } else {
            const unsigned char *start = output;
            ECDSA_SIG *pair = d2i_ECDSA_SIG(NULL, &start, (long)length);
            isSigned = pair && BN_bn2binpad(ECDSA_SIG_get0_r(pair), signature, 32) == 32 &&
                       BN_bn2binpad(ECDSA_SIG_get0_s(pair), signature + 32, 32) == 32;
            ECDSA_SIG_free(pair);
        }
    }
    OPENSSL_cleanse(output, sizeof output);
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    BIO_free(bio);
    ERR_clear_error();
    return isSigned;
}

/// The HMAC with SHA-256 of a text (RFC 2104): 32 bytes.
static inline int freshet_hmac(const unsigned char *secret, size_t secretCount,
                               const unsigned char *text, size_t count, unsigned char *code) {
    return HMAC(EVP_sha256(), secret, (int)secretCount, text, count, code, NULL) != NULL;
}

/// The HMAC of a text by SHA-1, or by SHA-2 of so many bits: up to 64 bytes.
///
/// Returns their number, 0 for another method.
static inline unsigned int freshet_hmacBy(int method, const unsigned char *secret, size_t secretCount,
                                          const unsigned char *text, size_t count,
                                          unsigned char *code) {
    const EVP_MD *digest = method == 1     ? EVP_sha1()
                           : method == 256 ? EVP_sha256()
                           : method == 384 ? EVP_sha384()
                           : method == 512 ? EVP_sha512()
                                           : NULL;
    unsigned int length = 0;
    if (digest == NULL || !HMAC(digest, secret, (int)secretCount, text, count, code, &length)) {
        return 0;
    }
    return length;
}
