// CRC-32C by the processor's own instruction, which Swift can't name.
#ifndef MARQUEE_CHECKSUM_H
#define MARQUEE_CHECKSUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whether this processor has the instruction. Asks the processor or the system: remember the answer.
bool marquee_crc32c_is_built_in(void);

// The remainder after `count` more bytes at any address. Only where the instruction exists.
uint32_t marquee_crc32c_extend(uint32_t remainder, const void *bytes, size_t count);

#endif
