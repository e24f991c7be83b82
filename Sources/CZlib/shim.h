// zlib, with functions in place of the macros that Swift cannot import.
#pragma once
#include <zlib.h>

/// Starts compressing; `windowBits` 15 + 16 writes the gzip format (zlib.h, deflateInit2).
static inline int freshet_deflateInit(z_stream *stream, int level, int windowBits) {
    return deflateInit2(stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
}

/// Starts decompressing; `windowBits` 15 + 16 reads the gzip format (zlib.h, inflateInit2).
static inline int freshet_inflateInit(z_stream *stream, int windowBits) {
    return inflateInit2(stream, windowBits);
}
