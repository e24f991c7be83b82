#include <openssl/sha.h>

#include "CLoad.h"

void load_digest(const char *bytes, size_t size, uint8_t digest[32]) {
    SHA256((const unsigned char *)bytes, size, digest);
}
