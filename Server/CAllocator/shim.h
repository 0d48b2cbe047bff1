#include <features.h>

// Only functions of glibc are needed here, and Swift's Glibc module doesn't include malloc.h.
#ifdef __GLIBC__
#include <malloc.h>

// Bytes that the program has allocated, over all arenas. 0 before glibc 2.33, whose counters are `int`.
static inline size_t allocator_bytes_in_use(void) {
#if __GLIBC_PREREQ(2, 33)
    struct mallinfo2 use = mallinfo2();
    return use.uordblks + use.hblkhd;
#else
    return 0;
#endif
}
#endif
