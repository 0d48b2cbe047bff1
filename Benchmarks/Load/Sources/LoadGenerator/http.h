// HTTP/1.1, as far as a client of one server needs it.
#pragma once
#include "load.h"

// Returns the bytes of the head of a response; 0 if it isn't whole. Fails unless it has the status and each of the
// fields, upper case or lower; the last one is null.
size_t http_head(const uint8_t *bytes, size_t count, const char *status, const char *const fields[]);

// What nchan's publishers speak.
extern const struct protocol nchan_publisher_protocol;
