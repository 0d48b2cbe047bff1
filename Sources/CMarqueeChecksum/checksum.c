#include "checksum.h"

#if defined(__x86_64__)

#include <cpuid.h>

#define BUILT_IN __attribute__((target("sse4.2")))

bool marquee_crc32c_is_built_in(void) {
    unsigned eax, ebx, ecx, edx;
    return __get_cpuid(1, &eax, &ebx, &ecx, &edx) && (ecx & bit_SSE4_2);
}

BUILT_IN static inline uint32_t add_word(uint32_t remainder, uint64_t word) {
    return (uint32_t)__builtin_ia32_crc32di(remainder, word);
}

BUILT_IN static inline uint32_t add_byte(uint32_t remainder, uint8_t byte) {
    return __builtin_ia32_crc32qi(remainder, byte);
}

#elif defined(__aarch64__) && defined(__AARCH64EL__)

#define BUILT_IN __attribute__((target("crc")))

#if defined(__linux__)
#include <sys/auxv.h>
// HWCAP_CRC32 of <asm/hwcap.h>.
bool marquee_crc32c_is_built_in(void) { return getauxval(AT_HWCAP) & (1 << 7); }
#else
// Every processor supported by this system's current versions has the instruction.
bool marquee_crc32c_is_built_in(void) { return true; }
#endif

BUILT_IN static inline uint32_t add_word(uint32_t remainder, uint64_t word) {
    return __builtin_arm_crc32cd(remainder, word);
}

BUILT_IN static inline uint32_t add_byte(uint32_t remainder, uint8_t byte) {
    return __builtin_arm_crc32cb(remainder, byte);
}

#else
#define BUILT_IN
bool marquee_crc32c_is_built_in(void) { return false; }
static inline uint32_t add_word(uint32_t remainder, uint64_t word) { return remainder; }
static inline uint32_t add_byte(uint32_t remainder, uint8_t byte) { return remainder; }
#endif

// The instruction has a latency of three cycles and a throughput of one per cycle, so long input is read in three
// lanes.
enum { lane = 1024 };

// x^(8 * lane) and x^(16 * lane) modulo the polynomial, bits reversed: multiplying by them appends that many zero bits.
static const uint32_t past_one_lane = 0xE4172B16;
static const uint32_t past_two_lanes = 0x0D65762A;

// The product of two polynomials, bits reversed.
static uint32_t multiply(uint32_t a, uint32_t b) {
    uint32_t product = 0;
    for (int bit = 0; bit < 32; bit++) {
        product ^= b & -(a >> 31);
        a <<= 1;
        b = (b >> 1) ^ (0x82F63B78 & -(b & 1));
    }
    return product;
}

static inline uint64_t word_at(const uint8_t *bytes) {
    uint64_t word;
    __builtin_memcpy(&word, bytes, sizeof word);
    return word;
}

BUILT_IN uint32_t marquee_crc32c_extend(uint32_t remainder, const void *start, size_t count) {
    const uint8_t *bytes = start;
    for (; count >= 3 * lane; bytes += 3 * lane, count -= 3 * lane) {
        uint32_t second = 0, third = 0;
        for (size_t at = 0; at < lane; at += sizeof(uint64_t)) {
            remainder = add_word(remainder, word_at(bytes + at));
            second = add_word(second, word_at(bytes + lane + at));
            third = add_word(third, word_at(bytes + 2 * lane + at));
        }
        remainder = multiply(remainder, past_two_lanes) ^ multiply(second, past_one_lane) ^ third;
    }
    for (; count >= sizeof(uint64_t); bytes += sizeof(uint64_t), count -= sizeof(uint64_t)) {
        remainder = add_word(remainder, word_at(bytes));
    }
    for (; count > 0; bytes++, count--) remainder = add_byte(remainder, *bytes);
    return remainder;
}
