// Latencies, to about 1.6 %: 64 steps for each power of two.
#pragma once
#include <stdint.h>
#include <string.h>

enum { HISTOGRAM_STEP_BITS = 6, HISTOGRAM_STEPS = (64 - HISTOGRAM_STEP_BITS) << HISTOGRAM_STEP_BITS };

struct histogram {
    uint64_t count;
    uint64_t steps[HISTOGRAM_STEPS];
};

static inline void histogram_add(struct histogram *histogram, uint64_t value) {
    unsigned shift = 0;
    while (value >> shift >= 2u << HISTOGRAM_STEP_BITS) shift++;
    // Of two powers of two, the lower one counts in single steps.
    histogram->steps[((uint64_t)shift << HISTOGRAM_STEP_BITS) + (value >> shift)]++;
    histogram->count++;
}

// The value that `share` of all values don't exceed, 0 of nothing.
static inline double histogram_percentile(const struct histogram *histogram, double share) {
    uint64_t wanted = (uint64_t)(share * (double)histogram->count), seen = 0;
    for (unsigned step = 0; step < HISTOGRAM_STEPS; step++) {
        seen += histogram->steps[step];
        if (histogram->steps[step] == 0 || seen < wanted) continue;
        unsigned shift = step >> HISTOGRAM_STEP_BITS;
        if (shift > 0) shift--;
        return (double)((uint64_t)(step - (shift << HISTOGRAM_STEP_BITS)) << shift);
    }
    return 0;
}
