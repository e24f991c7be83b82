// zlib, with functions in place of the macros that Swift cannot import.
#pragma once
#include <zlib.h>

/// Starts compressing; `windowBits` from 9 to 15 write the zlib format, 16 more the gzip format
/// (zlib.h, deflateInit2).
static inline int freshet_deflateInit(z_stream *stream, int level, int windowBits, int memLevel) {
    return deflateInit2(stream, level, Z_DEFLATED, windowBits, memLevel, Z_DEFAULT_STRATEGY);
}

/// Starts decompressing; `windowBits` 15 + 16 reads the gzip format (zlib.h, inflateInit2).
static inline int freshet_inflateInit(z_stream *stream, int windowBits) {
    return inflateInit2(stream, windowBits);
}
