#include "measuring.h"

// Says whose library this is.
#include <stdlib.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
void callgrind_start(void) { CALLGRIND_START_INSTRUMENTATION; }
void callgrind_toggle(void) { CALLGRIND_TOGGLE_COLLECT; }
void callgrind_name(const char *name) { CALLGRIND_DUMP_STATS_AT(name); }
void callgrind_stop(void) { CALLGRIND_STOP_INSTRUMENTATION; }
#else
void callgrind_start(void) {}
void callgrind_toggle(void) {}
void callgrind_name(const char *name) { (void)name; }
void callgrind_stop(void) {}
#endif

#if defined(__GLIBC__)
#include <malloc.h>
size_t allocated_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
void return_free_memory(void) { malloc_trim(0); }
#else
size_t allocated_bytes(void) { return 0; }
void return_free_memory(void) {}
#endif
