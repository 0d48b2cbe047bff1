// XXH64 with seed 0, for little-endian machines.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const uint64_t XXH_PRIMES[] = {
    0x9e3779b185ebca87, 0xc2b2ae3d27d4eb4f, 0x165667b19e3779f9, 0x85ebca77c2b2ae63, 0x27d4eb2f165667c5};

static inline uint64_t xxh_rotated(uint64_t word, unsigned bits) { return word << bits | word >> (64 - bits); }

static inline uint64_t xxh_word(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static inline uint64_t xxh_round(uint64_t lane, uint64_t word) {
    return xxh_rotated(lane + word * XXH_PRIMES[1], 31) * XXH_PRIMES[0];
}

static inline uint64_t xxh64(const uint8_t *bytes, size_t count) {
    const uint64_t *primes = XXH_PRIMES;
    uint64_t hash = primes[4];
    size_t rest = count;
    if (rest >= 32) {
        uint64_t lanes[4] = {primes[0] + primes[1], primes[1], 0, -primes[0]};
        for (; rest >= 32; rest -= 32, bytes += 32)
            for (int lane = 0; lane < 4; lane++) lanes[lane] = xxh_round(lanes[lane], xxh_word(bytes + 8 * lane));
        hash = xxh_rotated(lanes[0], 1) + xxh_rotated(lanes[1], 7) + xxh_rotated(lanes[2], 12)
            + xxh_rotated(lanes[3], 18);
        for (int lane = 0; lane < 4; lane++)
            hash = (hash ^ xxh_round(0, lanes[lane])) * primes[0] + primes[3];
    }
    hash += count;
    for (; rest >= 8; rest -= 8, bytes += 8)
        hash = xxh_rotated(hash ^ xxh_round(0, xxh_word(bytes)), 27) * primes[0] + primes[3];
    if (rest >= 4) {
        uint32_t half;
        memcpy(&half, bytes, sizeof half);
        hash = xxh_rotated(hash ^ half * primes[0], 23) * primes[1] + primes[2];
        rest -= 4;
        bytes += 4;
    }
    for (; rest > 0; rest--) hash = xxh_rotated(hash ^ *bytes++ * primes[4], 11) * primes[0];
    hash = (hash ^ hash >> 33) * primes[1];
    hash = (hash ^ hash >> 29) * primes[2];
    return hash ^ hash >> 32;
}
