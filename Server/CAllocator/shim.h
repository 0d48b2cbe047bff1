#include <features.h>

// Of what it declares, only glibc has what is needed, and Swift's Glibc module leaves it out.
#ifdef __GLIBC__
#include <malloc.h>

// Bytes that the program has allocated, in all arenas. 0 before glibc 2.33, which counts them in an `int`.
static inline size_t allocator_bytes_in_use(void) {
#if __GLIBC_PREREQ(2, 33)
    struct mallinfo2 use = mallinfo2();
    return use.uordblks + use.hblkhd;
#else
    return 0;
#endif
}
#endif
