// What Swift can't call: Valgrind's requests, which are macros and do nothing outside of it or without its headers, and what glibc knows of memory.
#ifndef MARQUEE_MEASURING_H
#define MARQUEE_MEASURING_H

#include <stddef.h>

// Between start and stop instructions can be counted, which makes everything slow; stopping costs what was translated.
void callgrind_start(void);
void callgrind_stop(void);
// Turns counting on, or off again. It is off at first.
void callgrind_toggle(void);
// Writes what was counted since the last time to a file that says `name`.
void callgrind_name(const char *name);

// Bytes that were allocated and not freed, with what the allocator adds to each block; 0 where that can't be known.
size_t allocated_bytes(void);
// Gives memory that was freed back to the system.
void return_free_memory(void);

#endif
