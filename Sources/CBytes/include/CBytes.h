// Looks at 16 bytes at once, with the instructions for that which every processor of a kind has:
// SSE2 of x86-64, Advanced SIMD of ARM64. The others look at one byte after the other.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define FRESHET_INLINE static inline __attribute__((always_inline))

#if defined(__aarch64__) && !defined(__SSE2__)
/// The highest bit of each byte, the first byte's lowest.
FRESHET_INLINE uint16_t freshet_highBits(uint8x16_t marks) {
    static const uint8_t bits[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t set = vandq_u8(marks, vld1q_u8(bits));
    return (uint16_t)(vaddv_u8(vget_low_u8(set)) | vaddv_u8(vget_high_u8(set)) << 8);
}
#endif

/// Which of 16 bytes are controls, by a bit for each, the first one's lowest (RFC 5234 §B.1: CTL).
FRESHET_INLINE uint16_t freshet_controlsOf16(const uint8_t *bytes) {
#if defined(__SSE2__)
    __m128i all = _mm_loadu_si128((const __m128i *)bytes);
    __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(all, _mm_set1_epi8(0x1f)), all);
    return (uint16_t)_mm_movemask_epi8(_mm_or_si128(low, _mm_cmpeq_epi8(all, _mm_set1_epi8(0x7f))));
#elif defined(__aarch64__)
    uint8x16_t all = vld1q_u8(bytes);
    return freshet_highBits(vorrq_u8(vcltq_u8(all, vdupq_n_u8(0x20)), vceqq_u8(all, vdupq_n_u8(0x7f))));
#else
    uint16_t marks = 0;
    for (int index = 0; index < 16; index += 1)
        marks |= (uint16_t)((bytes[index] < 0x20 || bytes[index] == 0x7f) << index);
    return marks;
#endif
}

/// As above, for 64 bytes.
FRESHET_INLINE uint64_t freshet_controlsOf64(const uint8_t *bytes) {
    return freshet_controlsOf16(bytes) | (uint64_t)freshet_controlsOf16(bytes + 16) << 16
        | (uint64_t)freshet_controlsOf16(bytes + 32) << 32
        | (uint64_t)freshet_controlsOf16(bytes + 48) << 48;
}

/// As above, for at most 64 bytes; of fewer, a byte is there behind the last.
FRESHET_INLINE uint64_t freshet_controls(const uint8_t *bytes, size_t count) {
    if (count >= 64) return freshet_controlsOf64(bytes);
    uint8_t padded[64] = {0};
    memcpy(padded, bytes, count);
    return freshet_controlsOf64(padded);
}

/// Which of 16 bytes are a certain one.
FRESHET_INLINE uint16_t freshet_places(const uint8_t *bytes, uint8_t byte) {
#if defined(__SSE2__)
    __m128i all = _mm_loadu_si128((const __m128i *)bytes);
    return (uint16_t)_mm_movemask_epi8(_mm_cmpeq_epi8(all, _mm_set1_epi8((char)byte)));
#elif defined(__aarch64__)
    return freshet_highBits(vceqq_u8(vld1q_u8(bytes), vdupq_n_u8(byte)));
#else
    uint16_t marks = 0;
    for (int index = 0; index < 16; index += 1) marks |= (uint16_t)((bytes[index] == byte) << index);
    return marks;
#endif
}

/// Which of 16 bytes are neither letters of ASCII nor hyphens.
FRESHET_INLINE uint16_t freshet_nonLetters(const uint8_t *bytes) {
#if defined(__SSE2__)
    __m128i all = _mm_loadu_si128((const __m128i *)bytes);
    // What is no letter comes to lie above the last of them.
    __m128i letter = _mm_sub_epi8(_mm_or_si128(all, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
    __m128i isLetter = _mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(25)), letter);
    __m128i isHyphen = _mm_cmpeq_epi8(all, _mm_set1_epi8('-'));
    return (uint16_t)~_mm_movemask_epi8(_mm_or_si128(isLetter, isHyphen));
#elif defined(__aarch64__)
    uint8x16_t all = vld1q_u8(bytes);
    uint8x16_t letter = vsubq_u8(vorrq_u8(all, vdupq_n_u8(0x20)), vdupq_n_u8('a'));
    uint8x16_t isGood = vorrq_u8(vcltq_u8(letter, vdupq_n_u8(26)), vceqq_u8(all, vdupq_n_u8('-')));
    return (uint16_t)~freshet_highBits(isGood);
#else
    uint16_t marks = 0;
    for (int index = 0; index < 16; index += 1) {
        uint8_t byte = bytes[index];
        marks |= (uint16_t)(((uint8_t)((byte | 0x20) - 'a') > 25 && byte != '-') << index);
    }
    return marks;
#endif
}

/// memchr(3): where a byte first stands; `count` where it does not.
FRESHET_INLINE size_t freshet_firstIndex(const uint8_t *bytes, size_t count, uint8_t byte) {
    const uint8_t *place = count == 0 ? NULL : (const uint8_t *)memchr(bytes, byte, count);
    return place ? (size_t)(place - bytes) : count;
}

/// Has a processor fetch the 64 bytes around an address, which need not be one, for a read before long.
FRESHET_INLINE void freshet_prefetch(const void *address) { __builtin_prefetch(address); }
