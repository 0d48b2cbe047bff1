// A Marquee client in one file of C, written from Proto/PROTOCOL.md, whose chapters the numbers in comments name. It
// needs libprotobuf-c, the generated messages of Proto/CMarqueeProto, and libc. It holds one live screen: it connects,
// verifies what comes, prints it, keeps it in a file, resumes from there, and has repaired what was wrong.
//
// Functions that judge what came give NULL, or a word that says what is wrong. Memory is bounded by the limits below.
// One loop runs everything, so nothing is locked, and buffers that are used again and again are static.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "marquee.pb-c.h"

enum {
    // Limits of 4. Hello states none of them: then they are these.
    FRAME_BYTES = 1 << 20, PART_BYTES = 65536, BODY_BYTES = 65536, NAME_BYTES = 256, TOKEN_BYTES = 12 * 1024,
    ELEMENTS = 65536, BODY_ELEMENTS = 4096, UNKNOWN_FIELDS = 32, DEPTH = 8, LIST_ITEMS = 65536, SECTIONS = 256,
    CREDIT = 1 << 20, CUT_BYTES = 64 << 20,
    // Our own: all versions as stored, and the file; what is unsent; read at once; epochs remembered; nacks in a row.
    HELD_BYTES = 256 << 20, UNSENT_BYTES = 64 << 20, READ_BYTES = 65536, EPOCHS = 16, NACKS = 3,
    // Between looks at the clock; to welcome; until the server has read our close; pauses; between pings.
    TICK_MS = 50, WELCOME_MS = 10000, LINGER_MS = 500, PAUSE_FIRST_MS = 500, PAUSE_LONGEST_MS = 30000,
    PAUSE_ASKED_MS = 3600000, INTERVAL_MS = 20000, INTERVAL_LEAST_MS = 1000, PING_MINIMUM_MS = 5000,
};

// Frames by kind (2) and their flags, remedies (21), and the kind of item whose title is printed.
enum {
    HELLO = 1, WELCOME, PING, PONG, PROGRESS, ACK, GO_AWAY, CLOSE, SUBSCRIBE = 16, UNSUBSCRIBE, SUBSCRIPTION_ERROR,
    JOIN, NACK, REPAIR, REBASE, MANIFEST, DATA = 32, STAGE, REQUEST = 48, ANSWER, CANCEL,
};
enum { CRITICAL = 1, FIRST = 2, LAST = 4, CARD = 13 };
enum { RETRY_SAME = 1, RETRY_OTHER, RESYNC, REAUTHENTICATE, FATAL };

typedef Marquee__V1__Cut Cut;
typedef Marquee__V1__FieldChange FieldChange;
typedef Marquee__V1__Item Item;
typedef Marquee__V1__Join Join;
typedef Marquee__V1__Part Part;
typedef Marquee__V1__Status Status;

// Sets a field of a message that has a number.
#define SET(message, field, value) ((message)->has_##field = true, (message)->field = (value))

// ------------------------------------------------------------------------------------------------ bytes
struct buffer { uint8_t *bytes; size_t count, room; };

static void *resized(void *block, size_t size) {
    void *found = realloc(block, size ? size : 1);
    if (found == NULL) errx(EX_OSERR, "no memory for %zu bytes", size);
    return found;
}

static const char *or_empty(const char *text) { return text != NULL ? text : ""; }
static char *copy_of(const char *text) {
    size_t size = strlen(or_empty(text)) + 1;
    return memcpy(resized(NULL, size), or_empty(text), size);
}

static ProtobufCBinaryData copy_of_bytes(const void *bytes, size_t count) {
    ProtobufCBinaryData copy = {count, resized(NULL, count)};
    if (count > 0) memcpy(copy.data, bytes, count);
    return copy;
}

// Makes the buffer longer, and gives where the new bytes go.
static uint8_t *extend(struct buffer *buffer, size_t count) {
    if (buffer->room - buffer->count < count || buffer->bytes == NULL) {
        buffer->room = 2 * buffer->room + count + 64;
        buffer->bytes = resized(buffer->bytes, buffer->room);
    }
    buffer->count += count;
    return buffer->bytes + buffer->count - count;
}
static void add_bytes(struct buffer *buffer, const void *bytes, size_t count) {
    if (count > 0) memcpy(extend(buffer, count), bytes, count);
}
static void add_little(struct buffer *buffer, uint64_t value, int count) {
    for (int i = 0; i < count; i++) *extend(buffer, 1) = (uint8_t)(value >> 8 * i);
}

static uint64_t get_little(const uint8_t *bytes, int count) {
    uint64_t value = 0;
    for (int i = count; i-- > 0;) value = value << 8 | bytes[i];
    return value;
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }
static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

// Uniform between the bounds, which are included.
static uint64_t between(uint64_t least, uint64_t most) {
    uint64_t random;
    if (getrandom(&random, sizeof random, 0) != sizeof random) errx(EX_OSERR, "no random numbers");
    return most > least ? least + random % (most - least + 1) : least;
}

// ------------------------------------------------------------------------------------------------ the wire (2)
struct header {
    uint32_t length;  // of what follows
    uint16_t kind, flags;
    uint32_t check;
};
struct frame {
    uint16_t kind, flags;
    const uint8_t *body;  // NULL: there is no whole frame
    size_t size;
};

static uint32_t crc32c(uint32_t remainder, const uint8_t *bytes, size_t count) {
    static uint32_t table[256];
    for (uint32_t i = 0; i < 256 && table[255] == 0; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++) table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0x82f63b78 : 0);
    }
    for (size_t i = 0; i < count; i++) remainder = remainder >> 8 ^ table[(remainder ^ bytes[i]) & 0xff];
    return remainder;
}

// The check of a frame: of the body, and then of the header without the check itself.
static uint32_t check_of(const void *header, const uint8_t *body, size_t size) {
    return crc32c(crc32c(0xffffffff, body, size), header, 8) ^ 0xffffffff;
}

static void add_frame(struct buffer *to, uint16_t kind, uint16_t flags, const void *message) {
    size_t size = protobuf_c_message_get_packed_size(message);
    struct header header = {htonl((uint32_t)(8 + size)), htons(kind), htons(flags), 0};
    uint8_t *at = extend(to, sizeof header + size);
    protobuf_c_message_pack(message, at + sizeof header);
    header.check = htonl(check_of(&header, at + sizeof header, size));
    memcpy(at, &header, sizeof header);
}

// The next frame from `*at` on, if all of it is there. NULL, or the reason to end the connection.
static const char *next_frame(const struct buffer *bytes, size_t *at, uint32_t limit, struct frame *frame) {
    struct header header;
    *frame = (struct frame){0};
    if (bytes->count - *at < sizeof header.length) return NULL;
    const uint8_t *begin = bytes->bytes + *at;
    memcpy(&header.length, begin, sizeof header.length);
    uint32_t length = ntohl(header.length);
    if (length < 8) return "FRAME_TOO_SHORT";
    if (length > limit) return "FRAME_TOO_LONG";
    if (length > bytes->count - *at - sizeof header.length) return NULL;
    memcpy(&header, begin, sizeof header);
    *frame = (struct frame){ntohs(header.kind), ntohs(header.flags), begin + sizeof header, length - 8};
    *at += sizeof header.length + length;
    return check_of(begin, frame->body, frame->size) == ntohl(header.check) ? NULL : "FRAME_DAMAGED";
}

// ------------------------------------------------------------------------------------------------ the guard (3)
struct record {
    uint32_t number, type;                 // of the field, and the wire's
    uint64_t value;                        // a number, or how many bytes the content has
    const uint8_t *begin, *content, *end;  // of it all, behind tag and length, and behind it all
};

// Reads a varint of at most `longest` bytes. NULL, or why not.
static const char *read_varint(const uint8_t **at, const uint8_t *end, int longest, uint64_t *value) {
    *value = 0;
    for (int i = 0; i < longest; i++) {
        if (*at == end) return "TRUNCATED";
        uint8_t byte = *(*at)++;
        *value |= (uint64_t)(byte & 0x7f) << 7 * i;
        if (byte < 0x80) return NULL;
    }
    return "MALFORMED";
}

// The record at `at`, which isn't the end. NULL, or why there is none.
static const char *read_record(const uint8_t *at, const uint8_t *end, struct record *record) {
    uint64_t tag;
    record->begin = at;
    const char *reason = read_varint(&at, end, 5, &tag);
    if (reason != NULL) return reason;
    if (tag >> 3 == 0 || tag >> 3 > 0x1fffffff) return "MALFORMED";
    record->number = (uint32_t)(tag >> 3);
    record->type = tag & 7;
    record->value = record->type == 1 ? 8 : 4;
    bool is_varint = record->type == 0 || record->type == 2;
    if (!is_varint && record->type != 1 && record->type != 5) return "WRONG_WIRE_TYPE";
    if (is_varint) reason = read_varint(&at, end, record->type == 0 ? 10 : 5, &record->value);
    if (reason != NULL) return reason;
    uint64_t size = record->type == 0 ? 0 : record->value;
    if (size > (uint64_t)(end - at)) return "TRUNCATED";
    record->content = at;
    record->end = at + size;
    return NULL;
}

// The scalar at `at`, or -1 where there is no valid one: surrogates, overlong forms and too large ones aren't.
static int32_t next_scalar(const uint8_t **at, const uint8_t *end) {
    static const int32_t least[] = {0, 0x80, 0x800, 0x10000};
    uint8_t first = *(*at)++;
    if (first < 0x80) return first;
    int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    if (first < 0xc2 || first > 0xf4 || end - *at < more) return -1;
    int32_t value = first & (0x3f >> more);
    for (int i = 0; i < more; i++) {
        uint8_t byte = *(*at)++;
        if ((byte & 0xc0) != 0x80) return -1;
        value = value << 6 | (byte & 0x3f);
    }
    return value < least[more] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000) ? -1 : value;
}

static const char *check_text(const uint8_t *at, const uint8_t *end) {
    const char *reason = NULL;
    while (at < end) {
        int32_t scalar = next_scalar(&at, end);
        if (scalar < 0) return "INVALID_UTF8";
        if (scalar == 0) reason = "NUL_IN_TEXT";
    }
    return reason;
}

// The fields that a message needs, as bits by number.
#define BIT(number) (UINT64_C(1) << (number))
static const struct { const char *message; uint64_t fields; } NEEDED[] = {
    {"Hello", BIT(1) | BIT(2) | BIT(8)}, {"Welcome", BIT(1) | BIT(3) | BIT(6) | BIT(7)}, {"Progress", BIT(1)},
    {"Ack", BIT(1)}, {"GoAway", BIT(1)}, {"Close", BIT(1)}, {"Subscribe", BIT(1) | BIT(3)},
    {"SectionParameters", BIT(1)}, {"Resume", BIT(1) | BIT(2)}, {"HeldSection", BIT(1) | BIT(2)},
    {"Unsubscribe", BIT(1)}, {"SubscriptionError", BIT(1) | BIT(3)},
    {"Join", BIT(1) | BIT(3) | BIT(4) | BIT(6) | BIT(7) | BIT(8)}, {"Binding", BIT(1) | BIT(2)},
    {"Part", BIT(1) | BIT(3) | BIT(8)}, {"Item", BIT(1) | BIT(2)}, {"Nack", BIT(1) | BIT(4)},
    {"HeldVersion", BIT(1)}, {"Repair", BIT(1)}, {"Rebase", BIT(2)}, {"RebaseSection", BIT(2)},
    {"Manifest", BIT(1) | BIT(2) | BIT(3)}, {"Request", BIT(1) | BIT(2)}, {"Answer", BIT(1)}, {"Cancel", BIT(1)},
};

// The values that a number, or the length of a text or bytes, may have.
static const struct {
    const char *message;
    uint32_t field, multiple_of, not_above;  // a number, and another field, if there is one
    uint64_t least, most;
} RANGES[] = {
    {"Hello", 1, 1, 2, 0, UINT32_MAX},                                              // protocol_min, protocol_max
    {"Hello", 8, 1, 0, 16, 16},                                                     // client_id
    {"Limits", 1, 1, 0, 4096, UINT32_MAX}, {"Limits", 2, 1, 0, 4096, UINT32_MAX},   // frame_bytes, part_bytes
    {"Limits", 3, 1, 0, 64, UINT32_MAX},                                            // elements_per_frame
    {"Limits", 10, 1, 0, 1, UINT64_MAX}, {"Limits", 12, 1, 0, 1, UINT64_MAX},       // credit_bytes, cut_bytes
    {"GoAway", 2, 1, 3, 0, UINT32_MAX},                                             // its reconnect_ bounds
    {"Subscribe", 3, 1, 0, 0, NAME_BYTES}, {"Join", 7, 1, 0, 0, NAME_BYTES},        // screen
    {"Part", 8, 1, 0, 0, LIST_ITEMS}, {"Manifest", 4, 16, 0, 0, UINT32_MAX},        // count; pairs
};

// What all messages of a frame may still have, and whether a field has a value that it may not have.
struct budget { uint32_t elements, records; bool is_out_of_range; };

// One pass over the bytes of a message before anything is decoded, driven by protobuf-c's descriptors.
static const char *guard(
    const uint8_t *at, const uint8_t *end, const ProtobufCMessageDescriptor *schema, struct budget *budget, int level) {
    if (level > DEPTH) return "TOO_DEEP";
    uint64_t seen = 0, values[64] = {0};
    int unknown = 0;
    struct record record;
    for (; at < end; at = record.end) {
        const char *reason = read_record(at, end, &record);
        if (reason != NULL) return reason;
        if (budget->records-- == 0) return "TOO_MANY_RECORDS";
        const ProtobufCFieldDescriptor *field = protobuf_c_message_descriptor_get_field(schema, record.number);
        if (field == NULL) {
            if (++unknown > UNKNOWN_FIELDS) return "TOO_MANY_UNKNOWN_FIELDS";
            continue;
        }
        bool repeated = field->label == PROTOBUF_C_LABEL_REPEATED;
        bool is_message = field->type == PROTOBUF_C_TYPE_MESSAGE, is_text = field->type == PROTOBUF_C_TYPE_STRING;
        bool is_fixed = field->type == PROTOBUF_C_TYPE_FIXED64 || field->type == PROTOBUF_C_TYPE_DOUBLE;
        bool is_sized = is_message || is_text || field->type == PROTOBUF_C_TYPE_BYTES;
        uint32_t type = is_fixed ? 1 : is_sized ? 2 : 0, elements = repeated ? 1 : 0;  // The schema has no others.
        bool is_packed = repeated && type == 0 && record.type == 2;
        if (record.type != type && !is_packed) return "WRONG_WIRE_TYPE";
        if (is_packed) elements = 0;
        for (const uint8_t *in = record.content; is_packed && in < record.end; elements++) {
            uint64_t value;
            if ((reason = read_varint(&in, record.end, 10, &value)) != NULL) return reason;
        }
        if (elements > budget->elements) return "TOO_MANY_ELEMENTS";
        budget->elements -= elements;
        uint32_t number = record.number % 64;  // the schema's are below 64
        if (is_message) {
            if (!repeated && (seen & BIT(number))) return "REPEATED_SUBMESSAGE";
            reason = guard(record.content, record.end, field->descriptor, budget, level + 1);
        } else if (is_text) {
            reason = check_text(record.content, record.end);
        }
        if (reason != NULL) return reason;
        // The last of several counts. A text that is empty says as little as an absent one.
        seen |= BIT(number);
        if (is_text && record.value == 0) seen &= ~BIT(number);
        values[number] = field->type == PROTOBUF_C_TYPE_UINT32 ? (uint32_t)record.value : record.value;
    }
    for (size_t i = 0; i < sizeof NEEDED / sizeof *NEEDED; i++) {
        if (strcmp(NEEDED[i].message, schema->short_name) == 0 && (NEEDED[i].fields & ~seen)) return "MISSING_FIELD";
    }
    for (size_t i = 0; i < sizeof RANGES / sizeof *RANGES; i++) {
        uint32_t field = RANGES[i].field, other = RANGES[i].not_above;
        if (strcmp(RANGES[i].message, schema->short_name) != 0 || !(seen & BIT(field))) continue;
        uint64_t value = values[field], most = RANGES[i].most;
        if (other != 0 && (seen & BIT(other))) most = values[other];
        if (value < RANGES[i].least || value > most || value % RANGES[i].multiple_of) budget->is_out_of_range = true;
    }
    return NULL;
}

// Checks a message and decodes it; release() frees it. NULL, or the reason to refuse it.
static const char *decode(
    const ProtobufCMessageDescriptor *type, const uint8_t *bytes, size_t size, uint32_t elements, void *result) {
    struct budget budget = {elements, 8 * elements + 1024, false};
    const char *reason = guard(bytes, bytes + size, type, &budget, 1);
    if (reason != NULL) return reason;
    if (budget.is_out_of_range) return "OUT_OF_RANGE";
    ProtobufCMessage *message = protobuf_c_message_unpack(type, NULL, size, bytes);
    *(ProtobufCMessage **)result = message;
    return message != NULL ? NULL : "ARENA_EXHAUSTED";
}

static void release(void *message) {
    if (message != NULL) protobuf_c_message_free_unpacked(message, NULL);
}

enum { BY_CLIENT = 1, BY_SERVER = 2, BY_BOTH = 3 };

static const struct kind { int senders; const ProtobufCMessageDescriptor *type; } KINDS[CANCEL + 1] = {
    [HELLO] = {BY_CLIENT, &marquee__v1__hello__descriptor}, [WELCOME] = {BY_SERVER, &marquee__v1__welcome__descriptor},
    [PING] = {BY_BOTH, &marquee__v1__ping__descriptor}, [PONG] = {BY_BOTH, &marquee__v1__pong__descriptor},
    [PROGRESS] = {BY_SERVER, &marquee__v1__progress__descriptor}, [ACK] = {BY_CLIENT, &marquee__v1__ack__descriptor},
    [GO_AWAY] = {BY_SERVER, &marquee__v1__go_away__descriptor}, [CLOSE] = {BY_BOTH, &marquee__v1__close__descriptor},
    [SUBSCRIBE] = {BY_CLIENT, &marquee__v1__subscribe__descriptor},
    [UNSUBSCRIBE] = {BY_CLIENT, &marquee__v1__unsubscribe__descriptor},
    [SUBSCRIPTION_ERROR] = {BY_SERVER, &marquee__v1__subscription_error__descriptor},
    [JOIN] = {BY_SERVER, &marquee__v1__join__descriptor}, [NACK] = {BY_CLIENT, &marquee__v1__nack__descriptor},
    [REPAIR] = {BY_SERVER, &marquee__v1__repair__descriptor}, [REBASE] = {BY_SERVER, &marquee__v1__rebase__descriptor},
    [MANIFEST] = {BY_CLIENT, &marquee__v1__manifest__descriptor}, [DATA] = {BY_SERVER, &marquee__v1__part__descriptor},
    [STAGE] = {BY_SERVER, &marquee__v1__part__descriptor}, [REQUEST] = {BY_CLIENT, &marquee__v1__request__descriptor},
    [ANSWER] = {BY_SERVER, &marquee__v1__answer__descriptor}, [CANCEL] = {BY_CLIENT, &marquee__v1__cancel__descriptor},
};

// What a frame of that kind holds. Of a kind that isn't known: no type.
static struct kind kind_of(uint16_t number) { return number <= CANCEL ? KINDS[number] : (struct kind){0, NULL}; }
static const char *decode_frame(const struct frame *frame, void *result) {
    return decode(kind_of(frame->kind).type, frame->body, frame->size, ELEMENTS, result);
}

// ------------------------------------------------------------------------------------------------ sums (7)
static const uint64_t PRIME1 = 0x9e3779b185ebca87, PRIME2 = 0xc2b2ae3d27d4eb4f, PRIME3 = 0x165667b19e3779f9,
                      PRIME4 = 0x85ebca77c2b2ae63, PRIME5 = 0x27d4eb2f165667c5;
static uint64_t rotated(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }
static uint64_t round_of(uint64_t lane, uint64_t input) { return rotated(lane + input * PRIME2, 31) * PRIME1; }

// XXH64 with seed 0, by its specification: blocks of 32 bytes go round four lanes, the rest is mixed in at the end.
static uint64_t xxh64(const void *bytes, size_t count) {
    const uint8_t *at = bytes, *end = at + count;
    uint64_t value = PRIME5, lanes[4] = {PRIME1 + PRIME2, PRIME2, 0, 0 - PRIME1};
    for (; end - at >= 32; at += 32) {
        for (int i = 0; i < 4; i++) lanes[i] = round_of(lanes[i], get_little(at + 8 * i, 8));
    }
    if (count >= 32) {
        value = rotated(lanes[0], 1) + rotated(lanes[1], 7) + rotated(lanes[2], 12) + rotated(lanes[3], 18);
        for (int i = 0; i < 4; i++) value = (value ^ round_of(0, lanes[i])) * PRIME1 + PRIME4;
    }
    value += count;
    for (; end - at >= 8; at += 8) value = rotated(value ^ round_of(0, get_little(at, 8)), 27) * PRIME1 + PRIME4;
    if (end - at >= 4) {
        value = rotated(value ^ get_little(at, 4) * PRIME1, 23) * PRIME2 + PRIME3;
        at += 4;
    }
    for (; at < end; at++) value = rotated(value ^ *at * PRIME5, 11) * PRIME1;
    value = (value ^ value >> 33) * PRIME2;
    value = (value ^ value >> 29) * PRIME3;
    return value ^ value >> 32;
}

// A version of a list, as the whole patch that makes it: `adds` are its items, `head` its head, `target_sum` its sum.
// It is immutable. Each version has its own copies of its items, which is simple, and enough for a screen.
struct version {
    unsigned references;
    size_t size;
    Part *whole;
};

static size_t held_bytes;      // of all versions
static struct version *empty;  // the empty version: everyone holds it

static void add_text(struct buffer *to, const char *text) {
    size_t size = strlen(text);
    add_little(to, size, 4);
    add_bytes(to, text, size);
}

static uint64_t edge(const char *before, const char *id, uint32_t kind, const char *subject, uint64_t body_hash) {
    static struct buffer bytes;
    bytes.count = 0;
    add_text(&bytes, before);
    add_text(&bytes, id);
    add_little(&bytes, kind, 4);
    add_text(&bytes, or_empty(subject));
    add_little(&bytes, body_hash, 8);
    return xxh64(bytes.bytes, bytes.count);
}

// The sum of a list, with other hashes in place of its bodies' if there are any.
static uint64_t sum_of(const Part *whole, const uint64_t *hashes) {
    uint64_t total = xxh64(whole->head->records.data, whole->head->records.len);
    const char *before = "";
    for (size_t i = 0; i < whole->n_adds; i++) {
        const Item *item = whole->adds[i];
        uint64_t hash = hashes != NULL ? hashes[i] : xxh64(item->body.data, item->body.len);
        total += edge(before, item->id, item->kind, item->subject, hash);
        before = item->id;
    }
    return total + edge(before, "", 0, "", 0);
}

// A whole patch of the empty version: a part with an empty head.
static Part *new_whole(void) {
    const uint8_t empty_head[] = {7 << 3 | 2, 0};
    return (Part *)protobuf_c_message_unpack(&marquee__v1__part__descriptor, NULL, sizeof empty_head, empty_head);
}

// Takes over a whole patch with items and a head, and completes it.
static struct version *make_version(Part *whole) {
    struct version *version = resized(NULL, sizeof *version);
    uint64_t word = whole->n_adds << 2 | 2;  // ADD all of them
    struct buffer script = {0};
    for (; word > 0x7f; word >>= 7) add_little(&script, word | 0x80, 1);
    add_little(&script, word, 1);
    if (whole->n_adds > 0) SET(whole, script, copy_of_bytes(script.bytes, script.count));
    free(script.bytes);
    SET(whole, handle, 1);
    SET(whole, count, (uint32_t)whole->n_adds);
    SET(whole, target_sum, sum_of(whole, NULL));
    *version = (struct version){1, protobuf_c_message_get_packed_size(&whole->base), whole};
    held_bytes += version->size;
    return version;
}

static void drop_version(struct version *version) {
    if (--version->references > 0) return;
    held_bytes -= version->size;
    release(version->whole);
    free(version);
}

// ------------------------------------------------------------------------------------------------ patches (6, 8)
static bool is_canonical(const uint8_t *at, const uint8_t *end) {
    struct record record;
    for (uint32_t before = 0; at < end; at = record.end, before = record.number) {
        if (read_record(at, end, &record) != NULL || record.number < before) return false;
    }
    return true;
}

// Applies a change to a body (6): merges the records by number. False where it is refused.
static bool apply_change(const FieldChange *change, const ProtobufCBinaryData *old_body, struct buffer *result) {
    const uint8_t *at = change->records.data, *end = at + change->records.len;
    const uint8_t *body = old_body->data, *body_end = body + old_body->len;
    size_t clear = 0;
    uint32_t replaced = 0;  // the number whose new records were written last
    result->count = 0;
    if (change->replace) body = body_end;
    bool is_mixed = change->replace && change->n_cleared > 0;
    if (is_mixed || !is_canonical(at, end) || !is_canonical(body, body_end)) return false;
    for (size_t i = 0; i < change->n_cleared; i++) {
        uint32_t number = change->cleared[i];
        if (number == 0 || number > 0x1fffffff || (i > 0 && number <= change->cleared[i - 1])) return false;
    }
    struct record old = {0}, new = {0};
    while (body < body_end || at < end) {
        if (at < end) read_record(at, end, &new);
        if (body < body_end) read_record(body, body_end, &old);
        bool takes_new = at < end && (body == body_end || new.number <= old.number);
        struct record *next = takes_new ? &new : &old;
        while (clear < change->n_cleared && change->cleared[clear] < next->number) clear++;
        bool is_cleared = clear < change->n_cleared && change->cleared[clear] == next->number;
        if (takes_new && is_cleared) return false;
        if (takes_new) replaced = new.number;
        if (takes_new || (!is_cleared && old.number != replaced)) {
            add_bytes(result, next->begin, (size_t)(next->end - next->begin));
        }
        *(takes_new ? &at : &body) = next->end;
    }
    return result->count <= BODY_BYTES;
}

// What all parts of a patch have to have in common, as bytes.
static void add_key(struct buffer *to, const Part *part) {
    Part key = *part;
    key.n_adds = key.n_updates = key.base.n_unknown_fields = 0;
    key.has_script = key.has_more = false;
    key.head = NULL;
    protobuf_c_message_pack(&key.base, extend(to, protobuf_c_message_get_packed_size(&key.base)));
}

// Adds a part to a patch, or begins one. What the part holds moves to the patch. NULL, or why it doesn't fit.
static const char *add_part(Part **patch, Part *part) {
    static struct buffer keys[2];
    Part *whole = *patch;
    if (whole == NULL) {
        *patch = memcpy(resized(NULL, sizeof *part), part, sizeof *part);
        *part = (Part)MARQUEE__V1__PART__INIT;
        return NULL;
    }
    keys[0].count = keys[1].count = 0;
    add_key(&keys[0], whole);
    add_key(&keys[1], part);
    bool is_same = keys[0].count == keys[1].count && memcmp(keys[0].bytes, keys[1].bytes, keys[0].count) == 0;
    if (!is_same || part->head != NULL) return "mixedParts";
    size_t adds = whole->n_adds + part->n_adds, updates = whole->n_updates + part->n_updates;
    size_t script = whole->script.len + part->script.len;
    if (adds > LIST_ITEMS || updates > LIST_ITEMS) return "wrongCount";
    whole->script.data = resized(whole->script.data, script);
    whole->adds = resized(whole->adds, adds * sizeof *whole->adds);
    whole->updates = resized(whole->updates, updates * sizeof *whole->updates);
    if (part->script.len > 0) memcpy(whole->script.data + whole->script.len, part->script.data, part->script.len);
    for (size_t i = 0; i < part->n_adds; i++) whole->adds[whole->n_adds + i] = part->adds[i];
    for (size_t i = 0; i < part->n_updates; i++) whole->updates[whole->n_updates + i] = part->updates[i];
    whole->script.len = script;
    whole->n_adds = adds;
    whole->n_updates = updates;
    part->n_adds = part->n_updates = 0;
    whole->more = part->more;
    return NULL;
}

static void clear(Part **patch) {
    release(*patch);
    *patch = NULL;
}

// The next varint of a script: of at most five bytes, in its shortest form.
static bool read_word(const uint8_t **at, const uint8_t *end, uint64_t *word) {
    const uint8_t *begin = *at;
    if (read_varint(at, end, 5, word) != NULL || *word > UINT32_MAX) return false;
    return *at - begin == 1 || (*at)[-1] != 0;
}

static int compare_texts(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static bool has_valid_ids(const Part *whole) {
    static const char *ids[LIST_ITEMS];
    for (size_t i = 0; i < whole->n_adds; i++) ids[i] = whole->adds[i]->id;
    qsort(ids, whole->n_adds, sizeof *ids, compare_texts);
    for (size_t i = 0; i < whole->n_adds; i++) {
        if (*ids[i] == 0 || (i > 0 && strcmp(ids[i - 1], ids[i]) == 0)) return false;
    }
    return true;
}

static Item *copy_of_item(const Item *item) {
    Item *copy = memcpy(resized(NULL, sizeof *item), &(Item)MARQUEE__V1__ITEM__INIT, sizeof *item);
    copy->id = copy_of(item->id);
    copy->subject = copy_of(item->subject);
    SET(copy, kind, item->kind);
    SET(copy, body, copy_of_bytes(item->body.data, item->body.len));
    return copy;
}

// Builds the list of a patch. NULL, or a word of vectors/scripts.json on why it is refused.
static const char *run_script(Part *target, const Part *patch, const Part *base) {
    enum { KEEP, MOVE, ADD, UPDATE };
    static bool is_added[LIST_ITEMS], is_used[LIST_ITEMS];  // each item of the target; of the base
    static struct buffer body;
    const uint8_t *at = patch->script.data, *end = at + patch->script.len;
    uint64_t word, operand = 0, keep_end = 0, update_end = 0;
    size_t added = 0, updated = 0;
    memset(is_used, 0, sizeof is_used);
    target->adds = resized(NULL, patch->count * sizeof *target->adds);
    while (at != end) {
        if (!read_word(&at, end, &word) || word >> 2 == 0) return "malformedScript";
        uint64_t count = word >> 2, opcode = word & 3;
        if (opcode != ADD && !read_word(&at, end, &operand)) return "malformedScript";
        if (opcode != UPDATE && update_end > 0) return "malformedScript";
        uint64_t start = opcode == KEEP ? keep_end + operand : opcode == UPDATE ? update_end + operand : operand;
        if (opcode == KEEP) keep_end = start + count;
        if (opcode == UPDATE) update_end = start + count;
        if (opcode == ADD && count > patch->n_adds - added) return "wrongCount";
        if (opcode != ADD && start + count > (opcode == UPDATE ? target : base)->n_adds) return "outOfRange";
        for (uint64_t i = start; i < start + count; i++) {
            if (opcode == UPDATE) {
                ProtobufCBinaryData *old = &target->adds[i]->body;
                if (is_added[i]) return "updateOfAdded";
                if (updated == patch->n_updates) return "wrongCount";
                if (!apply_change(patch->updates[updated++], old, &body)) return "invalidBody";
                free(old->data);
                *old = copy_of_bytes(body.bytes, body.count);
                continue;
            }
            if (opcode != ADD && is_used[i]) return "usedTwice";
            if (target->n_adds == patch->count) return "wrongCount";
            const Item *item = opcode == ADD ? patch->adds[added++] : base->adds[i];
            if (item->body.len > BODY_BYTES) return "invalidBody";
            if (opcode != ADD) is_used[i] = true;
            is_added[target->n_adds] = opcode == ADD;
            target->adds[target->n_adds++] = copy_of_item(item);
        }
    }
    bool is_whole = target->n_adds == patch->count && added == patch->n_adds && updated == patch->n_updates;
    return !is_whole ? "wrongCount" : !has_valid_ids(target) ? "invalidID" : NULL;
}

// What `held` becomes. NULL, or a word of vectors/scripts.json on why the patch is refused.
static const char *apply_patch(const Part *patch, const struct version *held, struct version **result) {
    static struct buffer head;
    const struct version *base = !patch->has_base_sum || patch->base_sum == empty->whole->target_sum ? empty : held;
    if (base == NULL || (base != empty && base->whole->target_sum != patch->base_sum)) return "otherBase";
    const ProtobufCBinaryData *old = &base->whole->head->records;
    Part *target = new_whole();
    const char *why = run_script(target, patch, base->whole);
    head.count = 0;
    if (patch->head == NULL) add_bytes(&head, old->data, old->len);
    if (patch->head != NULL && why == NULL && !apply_change(patch->head, old, &head)) why = "invalidBody";
    SET(target->head, records, copy_of_bytes(head.bytes, head.count));
    *result = make_version(target);
    if (why == NULL && target->target_sum != patch->target_sum) why = "otherTarget";
    if (why != NULL) drop_version(*result);
    return why;
}

// ------------------------------------------------------------------------------------------------ the view
struct section {
    char *id;                    // empty: the view's own list, which comes first
    uint64_t handle;             // 0 unless it is bound on this connection
    struct version *version;
    const char *why;             // in a draft: why the cut is refused
    bool is_patched;             // in a draft
};
struct view {
    struct section sections[SECTIONS + 1];
    size_t count;                // 0: nothing is held
    bool is_joined;
    Cut cut;                     // at which it was last live
};
// What outlives connections and, with a path, the program.
static struct view view;
static struct {
    const char *path;
    uint8_t client_id[16];
    char *cluster, *user;
    Cut position;
    struct seen { uint64_t epoch, revision; } seen[EPOCHS];
    size_t seen_next;
    int folder;
    bool is_stored;
} mirror = {.position = MARQUEE__V1__CUT__INIT};
static struct { const char *screen, *user, *token; uint16_t port; } options;

static void add_section(struct view *to, struct section section) {
    section.id = copy_of(section.id);
    section.version->references++;
    section.is_patched = false;
    to->sections[to->count++] = section;
}

static void drop_section(struct view *from, struct section *section) {
    if (section == NULL) return;
    drop_version(section->version);
    free(section->id);
    memmove(section, section + 1, (size_t)(from->sections + --from->count - section) * sizeof *section);
}
static void free_sections(struct view *of) {
    while (of->count > 0) drop_section(of, &of->sections[of->count - 1]);
}

static struct section *section_of(struct view *of, const char *id) {
    size_t i = 0;
    while (i < of->count && strcmp(of->sections[i].id, id) != 0) i++;
    return i < of->count ? &of->sections[i] : NULL;
}
static struct section *section_at(struct view *of, uint64_t handle) {
    size_t i = 0;
    while (i < of->count && of->sections[i].handle != handle) i++;
    return i < of->count && handle != 0 ? &of->sections[i] : NULL;
}

static Cut copy_of_cut(const Cut *cut) {
    Cut copy = MARQUEE__V1__CUT__INIT;
    SET(&copy, catalogue_epoch, cut->catalogue_epoch);
    SET(&copy, catalogue_revision, cut->catalogue_revision);
    SET(&copy, user_epoch, cut->user_epoch);
    SET(&copy, user_revision, cut->user_revision);
    return copy;
}
// The component-wise maximum (12).
static void advance(Cut *position, const Cut *cut) {
    if (cut == NULL) return;
    position->catalogue_revision = larger(position->catalogue_revision, cut->catalogue_revision);
    position->user_revision = larger(position->user_revision, cut->user_revision);
}

// The newest revision of an epoch of either log. A new epoch takes the place of the oldest.
static uint64_t *seen_of(uint64_t epoch) {
    for (size_t i = 0; i < EPOCHS; i++) {
        if (mirror.seen[i].epoch == epoch) return &mirror.seen[i].revision;
    }
    struct seen *one = &mirror.seen[mirror.seen_next++ % EPOCHS];
    *one = (struct seen){epoch, 0};
    return &one->revision;
}

static void move_to(const Cut *position) {
    mirror.position = *position;
    *seen_of(position->catalogue_epoch) = position->catalogue_revision;
    *seen_of(position->user_epoch) = position->user_revision;
    if (view.is_joined) view.cut = *position;
}

// ------------------------------------------------------------------------------------------------ printing
// A text without tabs, or anything else that a terminal could take for a command. Each slot holds one.
static const char *safe(int slot, const char *text) {
    static struct buffer slots[2];
    struct buffer *to = &slots[slot];
    const uint8_t *at = (const uint8_t *)or_empty(text), *end = at + strlen(or_empty(text)), *begin;
    for (to->count = 0; (begin = at) < end;) {
        int32_t one = next_scalar(&at, end);
        bool is_harmful = one < 0x20 || (one >= 0x7f && one < 0xa0) || one == 0x61c || one == 0x200e || one == 0x200f ||
                          (one >= 0x2028 && one <= 0x202e) || (one >= 0x2066 && one <= 0x2069) || one == 0xfeff;
        if (is_harmful) add_bytes(to, "\xef\xbf\xbd", 3);
        else add_bytes(to, begin, (size_t)(at - begin));
    }
    add_bytes(to, "", 1);
    return (const char *)to->bytes;
}

static void print_event(const char *type, const char *word, const char *text) {
    printf("%s\t%s\t%s\n", type, safe(0, word), safe(1, text));
}

// A body that can't be decoded is shown as one of an unknown kind (3).
static void print_item(const Item *item) {
    Marquee__V1__CardBody *card = NULL;
    if (item->kind == CARD) {
        decode(&marquee__v1__card_body__descriptor, item->body.data, item->body.len, BODY_ELEMENTS, &card);
    }
    printf("item\t%s\t%" PRIu32 "\t%s\n", safe(0, item->id), item->kind, safe(1, card != NULL ? card->title : ""));
    release(card);
}

// Prints the screen's sections in the order of its own list, and then its sum (7).
static void show(void) {
    uint64_t sums[SECTIONS] = {0};
    const Part *list = view.sections[0].version->whole;
    for (size_t i = 0; i < smaller(list->n_adds, SECTIONS); i++) {
        const struct section *section = section_of(&view, list->adds[i]->id);
        if (section == NULL) continue;
        const Part *whole = section->version->whole;
        sums[i] = whole->target_sum;
        printf("section\t%s\t%016" PRIx64 "\t%zu\n", safe(0, section->id), sums[i], whole->n_adds);
        for (size_t j = 0; j < whole->n_adds; j++) print_item(whole->adds[j]);
    }
    const char *origin = view.is_joined ? "live" : "stored";
    printf("screen\t%s\t%s\t%" PRIu64 "\t%016" PRIx64 "\n", safe(0, options.screen), origin,
           view.cut.catalogue_revision, list->n_adds <= SECTIONS ? sum_of(list, sums) : 0);
}

// ------------------------------------------------------------------------------------------------ the session
// What exists only while there is a connection.
static struct {
    int fd;  // -1: none
    bool is_welcome, is_in_cut, waits_for_repair;
    struct buffer in, out, cut;
    uint64_t frame_bytes, part_bytes, elements, credit;  // the server's limits
    uint64_t taken, acknowledged;                        // bytes of data and stage frames
    uint64_t began, heard, asked, frame_began, interval, subscribe_at;  // asked: 0, or when, if nothing came since
    uint32_t subscription, last_subscription, nack_number, nacks_in_a_row;
    Part *staging;
    size_t staging_bytes;
    struct view staged, described;  // versions by handle, the oldest first (10, 15)
} session = {.fd = -1};

// What decides when to connect again, and what to offer then. Setbacks and attempts since a cut was stored.
static struct {
    unsigned attempts, setbacks;
    uint64_t next;
    bool was_other;
    char *refused;  // the section
} retry;

static void store(void);                                     // see the mirror's file
static void disconnect(const char *why, uint64_t at_least);  // see the connection

// The reasons that this client closes with; others are like the first (21).
static const struct { const char *reason; uint32_t code, remedy; } REASONS[] = {
    {"", 3, FATAL}, {"FRAME_DAMAGED", 15, RETRY_SAME}, {"FRAME_TOO_SHORT", 3, RETRY_SAME},
    {"FRAME_TOO_LONG", 8, RETRY_SAME}, {"CUT_ORDER", 9, RETRY_SAME}, {"CUT_TOO_LARGE", 8, RETRY_SAME},
    {"CUT_REFUSED", 15, RESYNC}, {"NODE_BEHIND", 14, RETRY_OTHER}, {"FRAME_UNFINISHED", 4, RETRY_SAME},
    {"WRONG_DIRECTION", 9, FATAL}, {"UNKNOWN_CRITICAL_KIND", 12, FATAL}, {"OUT_OF_RANGE", 11, FATAL},
    {"TOO_DEEP", 8, FATAL}, {"TOO_MANY_ELEMENTS", 8, FATAL}, {"TOO_MANY_RECORDS", 8, FATAL},
    {"TOO_MANY_UNKNOWN_FIELDS", 8, FATAL}, {"ARENA_EXHAUSTED", 8, FATAL}, {"PROTOCOL_UNSUPPORTED", 9, FATAL},
    {"OTHER_CLUSTER", 9, FATAL},
};

static Status status_of(const char *reason) {
    Status status = MARQUEE__V1__STATUS__INIT;
    size_t found = sizeof REASONS / sizeof *REASONS - 1;
    while (found > 0 && strcmp(REASONS[found].reason, reason) != 0) found--;
    status.reason = (char *)reason;
    SET(&status, code, REASONS[found].code);
    SET(&status, remedy, REASONS[found].remedy);
    return status;
}

static bool may_retry(const Status *status) { return status->remedy >= RETRY_SAME && status->remedy <= RESYNC; }
static _Noreturn void end_because(const Status *status) {
    uint32_t code = status->has_code ? status->code : 2;
    exit(code == 7 || code == 16 ? EX_NOPERM : EX_PROTOCOL);
}

// A random pause that grows with the attempts.
static uint64_t pause_after(unsigned attempts) {
    return between(0, smaller(PAUSE_LONGEST_MS, (uint64_t)PAUSE_FIRST_MS << smaller(attempts, 10)));
}
static bool has_room(const ProtobufCMessage *message, size_t elements) {
    return elements <= session.elements && protobuf_c_message_get_packed_size(message) + 8 <= session.frame_bytes;
}
static void say(uint16_t kind, const void *message) { add_frame(&session.out, kind, 0, message); }

// ---- hello and welcome (5)
// As it is said, and as the mirror keeps it.
static void add_hello(struct buffer *to, const char *user, const char *token) {
    Marquee__V1__Hello hello = MARQUEE__V1__HELLO__INIT;
    SET(&hello, protocol_min, 1);
    SET(&hello, protocol_max, 1);
    SET(&hello, client_id, ((ProtobufCBinaryData){sizeof mirror.client_id, mirror.client_id}));
    hello.user = (char *)user;
    hello.token = (char *)token;
    hello.agent = "marquee-client-c/1";
    hello.cluster = mirror.cluster;
    hello.seen = mirror.cluster != NULL ? &mirror.position : NULL;
    add_frame(to, HELLO, 0, &hello);
}

static const char *take_welcome(const Marquee__V1__Welcome *welcome) {
    const Marquee__V1__Limits *limits = welcome->limits;
    const Cut cut = copy_of_cut(welcome->cut);
    bool is_new = mirror.cluster == NULL;
    if (welcome->protocol != 1) return "PROTOCOL_UNSUPPORTED";
    if (!is_new && (strcmp(mirror.cluster, welcome->cluster) || strcmp(mirror.user, or_empty(welcome->user)))) {
        // The first time it is taken for damage, the second time it is believed.
        if (retry.was_other) errx(EX_CANTCREAT, "the server has other data, or another user, than this mirror");
        retry.was_other = true;
        return "OTHER_CLUSTER";
    }
    retry.was_other = false;
    bool is_behind = cut.catalogue_revision < *seen_of(cut.catalogue_epoch);
    if (is_behind || cut.user_revision < *seen_of(cut.user_epoch)) return "NODE_BEHIND";
    if (is_new) mirror.cluster = copy_of(welcome->cluster);
    if (is_new) mirror.user = copy_of(welcome->user);
    move_to(&cut);
    session.is_welcome = true;
    session.frame_bytes = limits->has_frame_bytes ? limits->frame_bytes : FRAME_BYTES;
    session.part_bytes = smaller(session.frame_bytes, limits->has_part_bytes ? limits->part_bytes : PART_BYTES);
    session.elements = limits->has_elements_per_frame ? limits->elements_per_frame : ELEMENTS;
    session.credit = limits->has_credit_bytes ? smaller(limits->credit_bytes, CREDIT) : CREDIT;
    uint64_t wished = welcome->has_ping_interval_ms ? welcome->ping_interval_ms : INTERVAL_MS;
    uint64_t least = welcome->has_ping_minimum_ms ? welcome->ping_minimum_ms : PING_MINIMUM_MS;
    session.interval = larger(larger(wished, least), INTERVAL_LEAST_MS);
    store();
    print_event("state", "connected", NULL);
    return NULL;  // keep_time() subscribes
}

// ---- subscribing (9, 13)
// Says what is held: to a server less after each setback: first without the section that was refused, then nothing.
static void add_subscribe(struct buffer *to, unsigned setbacks) {
    Marquee__V1__Subscribe subscribe = MARQUEE__V1__SUBSCRIBE__INIT;
    Marquee__V1__Resume resume = MARQUEE__V1__RESUME__INIT;
    Marquee__V1__HeldSection rows[SECTIONS], *pointers[SECTIONS];
    bool offers = view.count > 0 && (setbacks == 0 || (setbacks == 1 && *or_empty(retry.refused) != 0));
    SET(&subscribe, subscription, session.subscription);
    subscribe.screen = (char *)options.screen;
    resume.cut = &view.cut;
    resume.sections = pointers;
    if (offers) SET(&resume, view_sum, view.sections[0].version->whole->target_sum);
    for (size_t i = 1; i < view.count && offers; i++) {
        if (setbacks > 0 && strcmp(view.sections[i].id, retry.refused) == 0) continue;
        Marquee__V1__HeldSection *row = pointers[resume.n_sections] = &rows[resume.n_sections];
        *row = (Marquee__V1__HeldSection)MARQUEE__V1__HELD_SECTION__INIT;
        row->section = view.sections[i].id;
        SET(row, sum, view.sections[i].version->whole->target_sum);
        resume.n_sections++;
    }
    if (offers) subscribe.resume = &resume;
    // If a server has no room for that, all comes anew.
    if (to == &session.out && !has_room(&subscribe.base, resume.n_sections)) subscribe.resume = NULL;
    add_frame(to, SUBSCRIBE, 0, &subscribe);
}

// The content stays, the handles don't.
static void leave_view(void) {
    view.is_joined = false;
    for (size_t i = 0; i < view.count; i++) view.sections[i].handle = 0;
    free_sections(&session.described);
}

static void take_subscription_error(const Marquee__V1__SubscriptionError *error) {
    const Status *status = error->status;
    if (error->subscription != session.subscription) return;
    print_event("error", status->reason, status->message);
    // A section that failed is repaired by a later join. No generation above 0 was asked for.
    if (*or_empty(error->section) != 0 || (view.is_joined && error->generation > 0)) return;
    leave_view();
    session.subscription = 0;
    uint64_t asked = smaller(status->retry_after_ms, PAUSE_ASKED_MS);
    session.subscribe_at = now_ms() + larger(pause_after(retry.attempts++), asked);
    if (status->remedy == RESYNC) retry.setbacks = 2;
    if (may_retry(status)) return;
    free_sections(&view);  // It is gone, or this client may not see it.
    store();
    end_because(status);
}

// ---- progress (12) and acks (16)
static bool names_other_epoch(const Cut *cut) {
    const Cut *ours = &mirror.position;
    return cut != NULL && ((cut->has_catalogue_epoch && cut->catalogue_epoch != ours->catalogue_epoch) ||
                           (cut->has_user_epoch && cut->user_epoch != ours->user_epoch));
}

static void acknowledge(void) {
    Marquee__V1__Ack ack = MARQUEE__V1__ACK__INIT;
    session.acknowledged = session.taken;
    SET(&ack, bytes, session.taken);
    if (mirror.is_stored) ack.cut = &mirror.position;
    say(ACK, &ack);
}

static const char *take_progress(const Cut *cut) {
    if (session.is_in_cut || names_other_epoch(cut)) return "CUT_ORDER";
    if (!session.waits_for_repair) {
        Cut position = mirror.position;
        advance(&position, cut);
        move_to(&position);
        store();
    }
    acknowledge();
    return NULL;
}

// ---- staged parts (10)
static void give_up_staging(void) {
    clear(&session.staging);
    session.staging_bytes = 0;
}
static void forget_staged(uint64_t handle) { drop_section(&session.staged, section_at(&session.staged, handle)); }

// Keeps a version for its handle.
static void keep_for(struct view *to, uint64_t handle, struct version *version) {
    drop_section(to, section_at(to, handle));
    if (to->count > SECTIONS) drop_section(to, to->sections);
    add_section(to, (struct section){.handle = handle, .version = version});
}

// A wrong part or version is dropped: the join that names it will miss it.
static const char *take_stage(Part *part, size_t bytes, bool is_first) {
    if (is_first) give_up_staging();
    if (!is_first && session.staging == NULL) return NULL;  // the rest of what was given up
    session.staging_bytes += bytes;
    if (add_part(&session.staging, part) != NULL) {
        give_up_staging();
    } else if (!session.staging->more) {
        uint64_t handle = session.staging->handle;
        const struct section *base = section_at(&session.described, handle);
        struct version *version;
        forget_staged(handle);
        if (apply_patch(session.staging, base != NULL ? base->version : NULL, &version) == NULL) {
            keep_for(&session.staged, handle, version);
            drop_version(version);
        }
        give_up_staging();
    }
    size_t all = session.staging_bytes;
    for (size_t i = 0; i < session.staged.count; i++) all += session.staged.sections[i].version->size;
    while (all > CUT_BYTES && session.staged.count > 0) {
        all -= session.staged.sections->version->size;
        drop_section(&session.staged, session.staged.sections);
    }
    return all > CUT_BYTES ? "CUT_TOO_LARGE" : NULL;
}

// ---- rebase and manifest (15)
static void say_manifest(uint64_t handle, const Part *whole) {
    static struct buffer pairs;
    size_t next = 0, most = smaller(session.part_bytes, PART_BYTES) / 16 - 8;
    do {
        Marquee__V1__Manifest message = MARQUEE__V1__MANIFEST__INIT;
        pairs.count = 0;
        for (size_t i = 0; i < most && next < whole->n_adds; i++, next++) {
            const Item *item = whole->adds[next];
            add_little(&pairs, xxh64(item->id, strlen(item->id)), 8);
            add_little(&pairs, xxh64(item->body.data, item->body.len), 8);
        }
        SET(&message, handle, handle);
        SET(&message, sum, whole->target_sum);
        SET(&message, head_hash, xxh64(whole->head->records.data, whole->head->records.len));
        SET(&message, pairs, ((ProtobufCBinaryData){pairs.count, pairs.bytes}));
        SET(&message, more, next < whole->n_adds);
        say(MANIFEST, &message);
    } while (next < whole->n_adds);
}

static void take_rebase(const Marquee__V1__Rebase *rebase) {
    for (size_t i = 0; i < rebase->n_sections && session.out.count <= UNSENT_BYTES; i++) {
        const Marquee__V1__RebaseSection *one = rebase->sections[i];
        bool is_ours = rebase->subscription == session.subscription;
        struct section *section = is_ours ? section_of(&view, or_empty(one->section)) : NULL;
        struct version *version = section != NULL ? section->version : empty;
        say_manifest(one->handle, version->whole);
        keep_for(&session.described, one->handle, version);  // The answer starts from it, whatever is held by then.
    }
}

// ---- nack (14)
struct rows {
    Marquee__V1__HeldVersion rows[2 * (SECTIONS + 1)], *pointers[2 * (SECTIONS + 1)];
    size_t count;
};

static void add_row(struct rows *to, uint64_t handle, const struct version *version, bool is_refused) {
    for (size_t i = 0; i < to->count; i++) {
        if (to->rows[i].handle == handle) return;
    }
    Marquee__V1__HeldVersion *row = to->pointers[to->count] = &to->rows[to->count];
    *row = (Marquee__V1__HeldVersion)MARQUEE__V1__HELD_VERSION__INIT;
    SET(row, handle, handle);
    if (version != NULL) SET(row, sum, version->whole->target_sum);
    if (is_refused) SET(row, refused, true);
    to->count++;
}

// Names what has failed, or the rest of what is bound, or would have been, with what is held of it.
static void add_held(struct rows *to, struct view *draft, struct view *of, bool is_refused) {
    for (size_t i = 0; i < of->count; i++) {
        const struct section *one = &of->sections[i];
        const struct section *would = section_at(draft, one->handle), *held = section_at(&view, one->handle);
        if (held == NULL) held = section_of(&view, one->id);
        if (one->handle == 0 || is_refused != (would != NULL && would->why != NULL)) continue;
        if (held != NULL || is_refused) add_row(to, one->handle, held != NULL ? held->version : NULL, is_refused);
    }
}

// Says what is held, after a refused cut. Then everything waits for the repair.
static const char *say_nack(struct view *draft, const struct section *failed) {
    static struct rows held, staged;
    char text[160];
    snprintf(text, sizeof text, "handle %" PRIu64 ", section '%.40s': %s", failed->handle, failed->id, failed->why);
    print_event("error", "CUT_REFUSED", text);
    free(retry.refused);
    retry.refused = copy_of(failed->id);
    if (++session.nacks_in_a_row > NACKS) {
        retry.setbacks++;
        return "CUT_REFUSED";
    }
    give_up_staging();
    held.count = staged.count = 0;
    add_held(&held, draft, draft, true);
    for (size_t i = 0; i < held.count; i++) forget_staged(held.rows[i].handle);
    add_held(&held, draft, &view, false);
    add_held(&held, draft, draft, false);
    for (size_t i = 0; i < session.staged.count; i++) {
        add_row(&staged, session.staged.sections[i].handle, session.staged.sections[i].version, false);
    }
    Marquee__V1__Nack nack = MARQUEE__V1__NACK__INIT;
    Status status = status_of("CUT_REFUSED");
    status.message = text;
    nack.status = &status;
    nack.good = &mirror.position;
    SET(&nack, number, ++session.nack_number);
    nack.held = held.pointers;
    nack.n_held = held.count;
    nack.staged = staged.pointers;
    nack.n_staged = staged.count;
    // What there is no room for is sent whole.
    if (!has_room(&nack.base, nack.n_held + nack.n_staged)) nack.n_staged = 0;
    while (!has_room(&nack.base, nack.n_held)) nack.n_held--;
    session.waits_for_repair = true;
    say(NACK, &nack);
    return NULL;
}

// ---- cuts (11)
// Binds one section of a join: to what is held of it, to what was staged, or to the empty version.
static void bind_section(struct view *draft, const char *id, uint64_t handle, const uint64_t *sum) {
    const struct section *held = section_of(&view, id), *staged = section_at(&session.staged, handle);
    struct section bound = {.id = (char *)id, .handle = handle, .version = held != NULL ? held->version : empty};
    bool is_other = sum != NULL && bound.version->whole->target_sum != *sum;
    bool is_staged = is_other && staged != NULL && staged->version->whole->target_sum == *sum;
    if (is_other) bound.version = is_staged ? staged->version : empty;
    if (is_other && bound.version->whole->target_sum != *sum) bound.why = "a version that is not held";
    add_section(draft, bound);
}

static bool join(struct view *draft, const Join *join) {
    if (join->subscription != session.subscription) return false;  // It has ended here.
    free_sections(draft);
    draft->is_joined = true;
    bind_section(draft, "", join->view_handle, &join->view_sum);
    bool is_wrong = join->generation > 0 || join->n_sections > SECTIONS;
    if (is_wrong) draft->sections[0].why = "a join that was not asked for, or of too many sections";
    for (size_t i = 0; i < smaller(join->n_sections, SECTIONS); i++) {
        const Marquee__V1__Binding *one = join->sections[i];
        bind_section(draft, one->section, one->handle, one->has_sum ? &one->sum : NULL);
    }
    return true;
}

// The next message of the cut, which was checked when it arrived. NULL at its end.
static void *next_of_cut(size_t *at, uint16_t *kind) {
    struct frame frame;
    void *message = NULL;
    next_frame(&session.cut, at, FRAME_BYTES, &frame);
    *kind = frame.kind;
    if (frame.body != NULL && decode_frame(&frame, &message) != NULL) errx(EX_OSERR, "no memory for a cut");
    return message;
}

// Applies each patch of the cut when all its parts are there. They come one behind the other.
static void patch_draft(struct view *draft) {
    Part *patch = NULL, *part;
    struct section *open = NULL;  // whose patch that is
    struct version *version;
    uint16_t kind;
    for (size_t at = 0; (part = next_of_cut(&at, &kind)) != NULL; release(part)) {
        if (kind != DATA) continue;
        struct section *section = section_at(draft, part->handle);
        if (patch != NULL && section != open) open->why = "a patch that is not complete";
        if (section != open) clear(&patch);
        open = section;
        if (section == NULL || section->why != NULL) continue;
        section->why = section->is_patched ? "a second patch" : add_part(&patch, part);
        if (section->why == NULL && patch->more) continue;
        if (section->why == NULL) section->why = apply_patch(patch, section->version, &version);
        clear(&patch);
        if (section->why != NULL) continue;
        drop_version(section->version);
        section->version = version;
        section->is_patched = true;
    }
    if (patch != NULL) open->why = "a patch that is not complete";
    clear(&patch);
}

// What failed first in a draft, if anything did. Its sections have to be those of its own list, with a handle each.
static struct section *failed_in(struct view *draft) {
    const Part *list = draft->sections[0].version->whole;
    bool is_same = list->n_adds == draft->count - 1;
    struct section *failed = NULL;
    for (size_t i = 0; i < list->n_adds && is_same; i++) is_same = section_of(draft, list->adds[i]->id) != NULL;
    if (!is_same) draft->sections[0].why = "its sections are not those bound";
    for (size_t i = draft->count; i-- > 0;) {
        struct section *section = &draft->sections[i];
        if (section_at(draft, section->handle) != section) section->why = "a handle that is bound twice";
        if (section->why != NULL) failed = section;
    }
    return failed;
}

// The last frame of a cut is here: all of it, or nothing. A draft is the view as the cut would leave it.
static const char *finish_cut(void) {
    static struct view draft;
    Cut position = mirror.position;
    bool is_repair = false, is_joined = false;
    void *message;
    uint16_t kind;
    const char *reason = NULL;
    draft.is_joined = view.is_joined;
    draft.cut = view.cut;
    for (size_t i = 0; i < view.count; i++) add_section(&draft, view.sections[i]);
    for (size_t at = 0; (message = next_of_cut(&at, &kind)) != NULL; release(message)) {
        if (kind == REPAIR && ((Marquee__V1__Repair *)message)->number == session.nack_number) is_repair = true;
        if (kind == JOIN && join(&draft, message)) is_joined = true;
        advance(&position, kind == JOIN ? ((Join *)message)->cut : kind == DATA ? ((Part *)message)->cut : NULL);
    }
    patch_draft(&draft);
    const struct section *failed = draft.is_joined ? failed_in(&draft) : NULL;
    if (session.waits_for_repair && !is_repair) {
        // Dropped: the repair of what was refused is still to come.
    } else if (failed != NULL) {
        reason = say_nack(&draft, failed);
    } else {
        struct view before = view;
        view = draft;
        draft = before;
        for (size_t i = 0; i < view.count && is_joined; i++) forget_staged(view.sections[i].handle);
        if (is_joined) free_sections(&session.described);
        session.waits_for_repair = false;
        session.nacks_in_a_row = retry.setbacks = retry.attempts = 0;
        move_to(&position);
        store();
        if (view.is_joined) show();
    }
    free_sections(&draft);
    return reason;
}

static const char *take_of_cut(const struct frame *frame, const Cut *cut) {
    bool is_first = frame->flags & FIRST;
    if (is_first == session.is_in_cut || names_other_epoch(cut)) return "CUT_ORDER";
    if (is_first) session.cut.count = 0;
    session.is_in_cut = !(frame->flags & LAST);
    if (session.cut.count + frame->size > CUT_BYTES) return "CUT_TOO_LARGE";
    add_bytes(&session.cut, frame->body - sizeof(struct header), sizeof(struct header) + frame->size);
    return session.is_in_cut ? NULL : finish_cut();
}

// ---- frames
static void take_close(const Status *status) {
    if (status->remedy == RESYNC) retry.setbacks++;
    if (!may_retry(status)) print_event("error", status->reason, status->message);
    if (!may_retry(status)) end_because(status);
    disconnect(status->reason, status->retry_after_ms);
}

// The first time it comes back as the server wishes; without a cut in between, pauses grow.
static void take_go_away(const Marquee__V1__GoAway *away) {
    uint64_t pause = smaller(between(away->reconnect_min_ms, away->reconnect_max_ms), PAUSE_ASKED_MS);
    bool is_first = retry.attempts <= 1;
    disconnect(away->status->reason, pause);
    if (is_first) retry.next = now_ms() + pause;
}

// NULL, or the reason to close with.
static const char *take_frame(const struct frame *frame) {
    struct kind kind = kind_of(frame->kind);
    bool is_end = frame->kind == CLOSE || frame->kind == GO_AWAY;
    Marquee__V1__Pong pong = MARQUEE__V1__PONG__INIT;
    void *message = NULL;
    if (kind.type == NULL) return frame->flags & CRITICAL ? "UNKNOWN_CRITICAL_KIND" : NULL;
    if (!(kind.senders & BY_SERVER)) return "WRONG_DIRECTION";
    if (!is_end && session.is_welcome == (frame->kind == WELCOME)) return "WRONG_DIRECTION";
    if (frame->kind == DATA || frame->kind == STAGE) {
        session.taken += sizeof(struct header) + frame->size;
        if (2 * (session.taken - session.acknowledged) > session.credit) acknowledge();
    }
    const char *reason = decode_frame(frame, &message);
    switch (reason == NULL ? frame->kind : 0) {
    case WELCOME: reason = take_welcome(message); break;
    case PROGRESS: reason = take_progress(((Marquee__V1__Progress *)message)->cut); break;
    case JOIN: reason = take_of_cut(frame, ((Join *)message)->cut); break;
    case REPAIR: reason = take_of_cut(frame, NULL); break;
    case DATA: reason = take_of_cut(frame, ((Part *)message)->cut); break;
    case STAGE: reason = take_stage(message, frame->size + 8, frame->flags & FIRST); break;
    case REBASE: take_rebase(message); break;
    case SUBSCRIPTION_ERROR: take_subscription_error(message); break;
    case GO_AWAY: take_go_away(message); break;
    case CLOSE: take_close(((Marquee__V1__Close *)message)->status); break;
    case PING:
        SET(&pong, nonce, ((Marquee__V1__Ping *)message)->nonce);
        say(PONG, &pong);
    }
    release(message);
    return reason == NULL && held_bytes > HELD_BYTES ? "ARENA_EXHAUSTED" : reason;
}

// ------------------------------------------------------------------------------------------------ the mirror's file
// The file is made of frames: hello says whose it is, progress what each epoch had reached, a whole staged patch what
// each list is, and a subscribe offers them. It takes the place of the old one at once, so a kill leaves either.
static void store(void) {
    char path[PATH_MAX];
    struct buffer bytes = {0};
    mirror.is_stored = true;
    if (mirror.path == NULL) return;
    add_hello(&bytes, mirror.user, NULL);
    for (size_t i = 0; i < EPOCHS; i++) {
        Marquee__V1__Progress progress = MARQUEE__V1__PROGRESS__INIT;
        Cut cut = copy_of_cut(&mirror.position);
        cut.catalogue_epoch = mirror.seen[i].epoch;
        cut.catalogue_revision = mirror.seen[i].revision;
        progress.cut = &cut;
        add_frame(&bytes, PROGRESS, 0, &progress);
    }
    for (size_t i = 0; i < view.count; i++) {
        view.sections[i].version->whole->handle = i + 1;
        add_frame(&bytes, STAGE, FIRST, view.sections[i].version->whole);
    }
    add_subscribe(&bytes, 0);
    snprintf(path, sizeof path, "%s.new", mirror.path);
    FILE *file = fopen(path, "wb");
    bool is_written = file != NULL && fwrite(bytes.bytes, 1, bytes.count, file) == bytes.count;
    is_written = is_written && fflush(file) == 0 && fsync(fileno(file)) == 0;
    if (file != NULL) fclose(file);
    free(bytes.bytes);
    // A full disk hides nothing: content is shown from memory, and stored by the first cut or progress that finds room.
    mirror.is_stored = is_written && rename(path, mirror.path) == 0 && fsync(mirror.folder) == 0;
    if (!mirror.is_stored) print_event("error", "NOT_STORED", strerror(errno));
}

// A list that was damaged is left out, and comes anew. Without its own list a view has nothing.
static void restore_view(const Marquee__V1__Subscribe *stored) {
    const Marquee__V1__Resume *resume = stored->resume;
    if (strcmp(stored->screen, options.screen) != 0) errx(EX_CANTCREAT, "%s is of another screen", mirror.path);
    for (size_t i = 0; resume != NULL && i <= smaller(resume->n_sections, SECTIONS); i++) {
        const struct section *staged = section_at(&session.staged, i + 1);
        char *id = i == 0 ? "" : resume->sections[i - 1]->section;
        if (staged == NULL || (i > 0 && view.count == 0)) continue;
        add_section(&view, (struct section){.id = id, .version = staged->version});
        view.cut = copy_of_cut(resume->cut);
    }
}

// Opens the mirror, or begins one. No two programs use one file. A damaged frame is left out, but not hello.
static void open_mirror(void) {
    char path[PATH_MAX];
    struct buffer bytes = {0};
    struct frame frame;
    size_t at = 0, count;
    umask(077);  // collections are private
    if (snprintf(path, sizeof path, "%s.lock", mirror.path) >= (int)sizeof path) errx(EX_USAGE, "the path is too long");
    int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock < 0) err(EX_CANTCREAT, "%s", path);
    if (flock(lock, LOCK_EX | LOCK_NB) != 0) errx(EX_CANTCREAT, "%s is in use by another program", mirror.path);
    mirror.folder = open(dirname(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    FILE *file = fopen(mirror.path, "rb");
    if (file == NULL && errno == ENOENT) return;
    if (file == NULL) err(EX_CANTCREAT, "%s", mirror.path);
    do {
        count = fread(extend(&bytes, READ_BYTES), 1, READ_BYTES, file);
        bytes.count -= READ_BYTES - count;
    } while (count > 0 && bytes.count <= HELD_BYTES);
    fclose(file);
    do {
        void *message = NULL;
        bool is_first = at == 0;
        const char *why = next_frame(&bytes, &at, HELD_BYTES, &frame);
        if (why == NULL && kind_of(frame.kind).type != NULL) decode_frame(&frame, &message);
        uint16_t kind = message != NULL ? frame.kind : 0;
        bool is_ours = kind == HELLO && ((Marquee__V1__Hello *)message)->seen != NULL;
        if (is_first && !is_ours) errx(EX_DATAERR, "%s is no mirror, or its beginning is damaged", mirror.path);
        if (is_first) {
            const Marquee__V1__Hello *hello = message;
            memcpy(mirror.client_id, hello->client_id.data, sizeof mirror.client_id);
            mirror.cluster = copy_of(hello->cluster);
            mirror.user = copy_of(hello->user);
            mirror.position = copy_of_cut(hello->seen);
        }
        const Cut *seen = kind == PROGRESS ? ((Marquee__V1__Progress *)message)->cut : NULL;
        if (seen != NULL) *seen_of(seen->catalogue_epoch) = seen->catalogue_revision;
        if (kind == STAGE) take_stage(message, frame.size, true);
        if (kind == SUBSCRIBE) restore_view(message);
        release(message);
    } while (frame.body != NULL);
    free_sections(&session.staged);
    free(bytes.bytes);
}

// ------------------------------------------------------------------------------------------------ the connection
// What is only the connection's goes with it.
static void disconnect(const char *why, uint64_t at_least) {
    close(session.fd);
    leave_view();
    free_sections(&session.staged);
    give_up_staging();
    free(session.in.bytes);
    free(session.out.bytes);
    free(session.cut.bytes);
    memset(&session, 0, sizeof session);
    session.fd = -1;
    retry.next = now_ms() + larger(pause_after(retry.attempts), smaller(at_least, PAUSE_ASKED_MS));
    print_event("state", "waiting", why);
}

// Closes, and waits until the server has read why: closing a socket with unread bytes would reset the connection.
static void close_with(const char *reason) {
    Marquee__V1__Close message = MARQUEE__V1__CLOSE__INIT;
    Status status = status_of(reason);
    const struct timeval patience = {0, 1000 * LINGER_MS};
    uint64_t end = now_ms() + LINGER_MS;
    uint8_t ignored[4096];
    message.status = &status;
    say(CLOSE, &message);
    setsockopt(session.fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    send(session.fd, session.out.bytes, session.out.count, MSG_NOSIGNAL | MSG_DONTWAIT);
    shutdown(session.fd, SHUT_WR);
    while (now_ms() < end && recv(session.fd, ignored, sizeof ignored, 0) > 0) {}
    disconnect(reason, 0);
}

static void connect_now(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(options.port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    retry.attempts++;
    session.began = session.heard = now_ms();
    session.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (session.fd < 0) err(EX_OSERR, "no socket");
    setsockopt(session.fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    bool is_open = connect(session.fd, (const struct sockaddr *)&address, sizeof address) == 0;
    if (!is_open) return disconnect(strerror(errno), 0);
    add_hello(&session.out, options.user, options.token);
}

static void read_some(void) {
    struct frame frame;
    const char *reason;
    size_t before = session.in.count, at = 0;
    ssize_t count = recv(session.fd, extend(&session.in, READ_BYTES), READ_BYTES, MSG_DONTWAIT);
    session.in.count = before + (count > 0 ? (size_t)count : 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0) return disconnect(count < 0 ? strerror(errno) : "the connection ended", 0);
    session.heard = now_ms();
    session.asked = 0;
    while ((reason = next_frame(&session.in, &at, FRAME_BYTES, &frame)) == NULL && frame.body != NULL) {
        reason = take_frame(&frame);
        if (session.fd < 0) return;
        if (reason != NULL) break;
    }
    if (reason != NULL) return close_with(reason);
    if (at > 0 || before == 0) session.frame_began = session.heard;
    session.in.count -= at;
    memmove(session.in.bytes, session.in.bytes + at, session.in.count);
}

static void write_some(void) {
    ssize_t count = send(session.fd, session.out.bytes, session.out.count, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && errno != EAGAIN && errno != EINTR) return disconnect(strerror(errno), 0);
    if (count < 0) return;
    session.out.count -= (size_t)count;
    memmove(session.out.bytes, session.out.bytes + count, session.out.count);
}

// Does what time demands (16).
static void keep_time(void) {
    uint64_t now = now_ms(), silence = now - session.heard;
    if (session.fd < 0 && now >= retry.next) return connect_now();
    if (session.fd < 0) return;
    if (!session.is_welcome && now - session.began >= WELCOME_MS) return disconnect("no welcome", 0);
    if (!session.is_welcome) return;
    uint64_t frame_age = session.in.count > 0 ? now - session.frame_began : 0;
    if (frame_age >= 3 * session.interval) return close_with("FRAME_UNFINISHED");
    // It is asked before it is given up, however long the silence was: this machine may have slept.
    bool is_dead = session.asked != 0 && now - session.asked >= session.interval;
    if (is_dead) return disconnect("the server is silent", 0);
    if (session.out.count > UNSENT_BYTES) return disconnect("the server takes nothing", 0);
    if (silence >= session.interval && session.asked == 0) {
        Marquee__V1__Ping ping = MARQUEE__V1__PING__INIT;
        SET(&ping, nonce, now);
        say(PING, &ping);
        session.asked = now;
    }
    if (session.subscription == 0 && now >= session.subscribe_at) {
        session.subscription = ++session.last_subscription;
        add_subscribe(&session.out, retry.setbacks);
    }
}

static _Noreturn void run(void) {
    for (;;) {
        keep_time();
        if (fflush(stdout) != 0) err(EX_IOERR, "printing failed");
        struct pollfd one = {session.fd, session.out.count > 0 ? POLLIN | POLLOUT : POLLIN, 0};
        if (poll(&one, 1, TICK_MS) <= 0) continue;
        if (one.revents & (POLLIN | POLLHUP | POLLERR)) read_some();
        if (session.fd >= 0 && (one.revents & POLLOUT)) write_some();
    }
}

// ------------------------------------------------------------------------------------------------ main
static const char HELP[] =
    "USAGE: marquee-client 127.0.0.1:PORT SCREEN [MIRROR]\n"
    "Prints a live screen of a Marquee server on this machine. With MIRROR, a file, it goes on from there the next\n"
    "time. Who you are is read from MARQUEE_USER, and a token that proves it from MARQUEE_TOKEN.\n";

int main(int count, char **words) {
    char rest;
    if (count == 2 && strcmp(words[1], "--help") == 0) return fputs(HELP, stdout) < 0 ? EX_IOERR : EX_OK;
    if (count < 3 || count > 4) errx(EX_USAGE, "a server, a screen and perhaps a file are expected; see --help");
    // Without TLS a client talks to its own machine only.
    bool is_here = sscanf(words[1], "127.0.0.1:%5" SCNu16 "%c", &options.port, &rest) == 1;
    const uint8_t *name = (const uint8_t *)words[2], *end = name + strlen(words[2]);
    if (!is_here) errx(EX_USAGE, "'%s' is not 127.0.0.1:PORT", words[1]);
    if (name == end || end > name + NAME_BYTES || check_text(name, end) != NULL) errx(EX_USAGE, "that is no screen");
    options.screen = words[2];
    options.user = getenv("MARQUEE_USER");
    options.token = getenv("MARQUEE_TOKEN");
    if (strlen(or_empty(options.token)) > TOKEN_BYTES) errx(EX_USAGE, "MARQUEE_TOKEN is too long");
    for (size_t i = 0; i < sizeof mirror.client_id; i++) mirror.client_id[i] = (uint8_t)between(0, 255);
    empty = make_version(new_whole());
    mirror.path = words[3];  // or NULL: words end with it
    if (mirror.path != NULL) open_mirror();
    if (view.count > 0) show();
    run();
}
