// Protobuf by hand, for a handful of small messages.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { PROTOBUF_BYTES = 2048 };

struct message {
    size_t count;
    uint8_t bytes[PROTOBUF_BYTES];
};

// Fields that don't fit are left out: what is sent here is known to fit.
static inline void put_varint(struct message *message, uint64_t value) {
    do {
        if (message->count == PROTOBUF_BYTES) return;
        message->bytes[message->count++] = (uint8_t)(value & 127) | (value > 127 ? 128 : 0);
        value >>= 7;
    } while (value > 0);
}

static inline void put_number(struct message *message, unsigned number, uint64_t value) {
    put_varint(message, number << 3);
    put_varint(message, value);
}

static inline void put_bytes(struct message *message, unsigned number, const void *bytes, size_t count) {
    put_varint(message, number << 3 | 2);
    put_varint(message, count);
    if (count > PROTOBUF_BYTES - message->count) return;
    memcpy(message->bytes + message->count, bytes, count);
    message->count += count;
}

static inline void put_fixed(struct message *message, unsigned number, uint64_t value) {
    put_varint(message, number << 3 | 1);
    if (sizeof value > PROTOBUF_BYTES - message->count) return;
    memcpy(message->bytes + message->count, &value, sizeof value);
    message->count += sizeof value;
}

static inline void put_text(struct message *message, unsigned number, const char *text) {
    put_bytes(message, number, text, strlen(text));
}

struct field {
    bool found;
    uint64_t number;       // of wire types 0 and 1
    const uint8_t *bytes;  // of wire type 2
    size_t count;
};

static inline bool take_varint(const uint8_t *bytes, size_t count, size_t *at, uint64_t *value) {
    *value = 0;
    for (unsigned shift = 0; shift < 64 && *at < count; shift += 7) {
        uint8_t byte = bytes[(*at)++];
        *value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return true;
    }
    return false;
}

// The next field, and its number; not found at the end, and in what can't be read.
static inline struct field next_field(const uint8_t *bytes, size_t count, size_t *at, unsigned *number) {
    uint64_t tag, value;
    struct field field = {.found = true};
    if (*at >= count || !take_varint(bytes, count, at, &tag)) return (struct field){0};
    *number = (unsigned)(tag >> 3);
    switch (tag & 7) {
    case 0:
        if (!take_varint(bytes, count, at, &field.number)) return (struct field){0};
        return field;
    case 1:
        if (count - *at < 8) return (struct field){0};
        memcpy(&field.number, bytes + *at, 8);
        *at += 8;
        return field;
    case 2:
        if (!take_varint(bytes, count, at, &value) || value > count - *at) return (struct field){0};
        field.bytes = bytes + *at;
        field.count = value;
        *at += value;
        return field;
    default: return (struct field){0};
    }
}

// The first field of that number.
static inline struct field find_field(const uint8_t *bytes, size_t count, unsigned wanted) {
    size_t at = 0;
    unsigned number = 0;
    struct field field;
    do field = next_field(bytes, count, &at, &number);
    while (field.found && number != wanted);
    return field;
}
