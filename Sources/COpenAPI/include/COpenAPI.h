// Public/openapi.json as it was when this was compiled.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Its bytes, which stay.
const uint8_t *freshet_openAPI(void);

/// How many there are.
size_t freshet_openAPISize(void);
