// How often which time was taken, to about 3 %.

#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include <stdint.h>

enum { HISTOGRAM_SIZE = 32 * 33 };

struct histogram {
    uint64_t counts[HISTOGRAM_SIZE];
    uint64_t total;
};

static inline void histogram_add(struct histogram *histogram, double microseconds) {
    uint32_t value = microseconds < 4e9 ? (uint32_t)microseconds : UINT32_MAX;
    // 32 steps for each power of two.
    int shift = value < 64 ? 0 : 26 - __builtin_clz(value);
    histogram->counts[(uint32_t)shift * 32 + (value >> shift)]++;
    histogram->total++;
}

static inline double histogram_percentile(const struct histogram *histogram, double part) {
    uint64_t wanted = (uint64_t)((double)histogram->total * part), seen = 0;
    for (uint32_t i = 0; i < HISTOGRAM_SIZE; i++) {
        seen += histogram->counts[i];
        if (seen <= wanted) continue;
        uint32_t shift = i < 64 ? 0 : i / 32 - 1;
        return (double)((uint64_t)(i - shift * 32) << shift);
    }
    return 0;
}

#endif
