#include "COpenAPI.h"

// The preprocessor takes the file in (C23 6.10.4), and tells the build that this depends on it. Clang
// has that in other versions of C, too.
#pragma clang diagnostic ignored "-Wc23-extensions"
static const uint8_t document[] = {
#embed "../../Public/openapi.json"
};

const uint8_t *freshet_openAPI(void) { return document; }

size_t freshet_openAPISize(void) { return sizeof document; }
