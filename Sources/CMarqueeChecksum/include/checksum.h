// CRC-32C by the processor's instruction, which Swift can't call.
#ifndef MARQUEE_CHECKSUM_H
#define MARQUEE_CHECKSUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whether this processor has the instruction. Queries the processor or the system, so cache the answer.
bool marquee_crc32c_is_built_in(void);

// The remainder after `count` more bytes at any alignment. Call it only if the processor has the instruction.
uint32_t marquee_crc32c_extend(uint32_t remainder, const void *bytes, size_t count);

#endif
