// A Marquee client in one file of C, written from Proto/PROTOCOL.md. It needs libprotobuf-c, the generated messages of
// Proto/CMarqueeProto, and libc; nothing else. Numbers in comments are PROTOCOL.md's chapters.
//
// It holds screens, shows them, and keeps them in a file. From the top: bytes and hashes (2, 7), records and field
// changes (6), items and versions (7), patches (8), the guard (3), what is held and its file, what is printed, the
// session (5, 9 to 16), the connection, and main.
//
// Memory is bounded by the limits below. A version is immutable, shared by reference count, and shares its items with
// the versions made from it. One loop runs everything, so nothing is locked.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "marquee.pb-c.h"

#define AGENT "marquee-client-c/1"
#define MEBIBYTE (1024u * 1024u)

enum {
    HEADER_BYTES = 12,
    FRAME_BYTES = MEBIBYTE,          // the length of a frame, at most
    PART_BYTES = 65536,              // the length of a manifest's part, at most
    ELEMENTS = 65536,                // repeated elements of a frame
    BODY_ELEMENTS = 4096,            // and of a body
    UNKNOWN_FIELDS = 32,             // of one message
    DEPTH = 8,                       // levels of messages in each other
    LIST_ITEMS = 65536,
    SECTIONS = 256,
    BODY_BYTES = 65536,
    NAME_BYTES = 256,                // of a screen
    TOKEN_BYTES = 12 * 1024,
    CREDIT = MEBIBYTE,
    CUT_BYTES = 64 * MEBIBYTE,
    STORED_FRAME_BYTES = 4 * MEBIBYTE,
    ARENA_BYTES = 32 * MEBIBYTE,     // decoded messages
    HELD_BYTES = 256 * MEBIBYTE,     // items and heads of all versions; the file of a mirror isn't larger
    SENDING_BYTES = 4 * MEBIBYTE,    // unsent bytes that don't wait for the server, such as pongs
    MANIFEST_AHEAD = 256 * 1024,     // manifests are made when fewer unsent bytes than that are there
    VIEWS = 64,                      // of a mirror; a program shows at most SCREENS of them
    SCREENS = 16,
    STAGED_VERSIONS = 2 * SCREENS * (SECTIONS + 1),
    EPOCHS = 8,                      // remembered of each log
    NACKS = 3,                       // in a row
};

enum {
    PAUSE_FIRST_MS = 500,
    PAUSE_LONGEST_MS = 30000,
    PAUSE_ASKED_MS = 3600000,        // a server's wish, at most
    WELCOME_MS = 10000,              // to connect, and again until welcome
    LINGER_MS = 500,                 // until the server has read our close
    BEHIND_ATTEMPTS = 8,             // before a claimed position is given up, and
    BEHIND_MS = 300000,              // the time
    INTERVAL_LEAST_MS = 50,          // of pings
};

// How the program ends, as numbers from sysexits.h; `marquee` uses the same.
enum {
    DONE = 0, USAGE = 64, DATA_ERROR = 65, UNAVAILABLE = 69, CANT_CREATE = 73, IO_ERROR = 74, AGAIN_LATER = 75,
    PROTOCOL_ERROR = 76, NO_PERMISSION = 77, INTERRUPTED = 130, TERMINATED = 143,
};

// Frames by kind (2), and their flags.
enum {
    HELLO = 1, WELCOME, PING, PONG, PROGRESS, ACK, GO_AWAY, CLOSE, SUBSCRIBE = 16, UNSUBSCRIBE, SUBSCRIPTION_ERROR,
    JOIN, NACK, REPAIR, REBASE, MANIFEST, DATA = 32, STAGE, REQUEST = 48, ANSWER, CANCEL,
};
enum { CRITICAL = 1, FIRST = 2, LAST = 4 };
enum { ITEM_MEMBER = 9, ITEM_OTHER = 12, ITEM_CARD = 13 };
enum { RETRY_SAME = 1, RETRY_OTHER, RESYNC, REAUTHENTICATE, FATAL };

// ------------------------------------------------------------------------------------------------ bytes and hashes

struct buffer {
    uint8_t *bytes;
    size_t count, room;
};

static volatile sig_atomic_t stop_signal;
static int wake_pipe[2] = {-1, -1};

static _Noreturn void __attribute__((format(printf, 2, 3))) fail(int status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("marquee-client: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(status);
}

static void *resized(void *block, size_t size) {
    void *found = realloc(block, size ? size : 1);
    if (found == NULL) fail(IO_ERROR, "no memory for %zu bytes", size);
    return found;
}

static char *copy_of(const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(resized(NULL, size), text, size);
}

static void add_bytes(struct buffer *buffer, const void *bytes, size_t count) {
    if (count == 0) return;
    if (buffer->room - buffer->count < count) {
        size_t room = buffer->room ? buffer->room : 256;
        while (room - buffer->count < count) room *= 2;
        buffer->bytes = resized(buffer->bytes, room);
        buffer->room = room;
    }
    memcpy(buffer->bytes + buffer->count, bytes, count);
    buffer->count += count;
}

static void add_text(struct buffer *buffer, const char *text) { add_bytes(buffer, text, strlen(text)); }

static void __attribute__((format(printf, 2, 3))) add_format(struct buffer *buffer, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add_text(buffer, text);
}

static void add_hex(struct buffer *buffer, const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) add_format(buffer, "%02x", bytes[i]);
}

static void drop_front(struct buffer *buffer, size_t count) {
    buffer->count -= count;
    if (count && buffer->count) memmove(buffer->bytes, buffer->bytes + count, buffer->count);
}

static void free_buffer(struct buffer *buffer) {
    free(buffer->bytes);
    *buffer = (struct buffer){0};
}

static void put_big(uint8_t *bytes, uint64_t value, int count) {
    for (int i = 0; i < count; i++) bytes[i] = (uint8_t)(value >> 8 * (count - 1 - i));
}

static uint64_t get_big(const uint8_t *bytes, int count) {
    uint64_t value = 0;
    for (int i = 0; i < count; i++) value = value << 8 | bytes[i];
    return value;
}

static void put_little(uint8_t *bytes, uint64_t value, int count) {
    for (int i = 0; i < count; i++) bytes[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t get_little(const uint8_t *bytes, int count) {
    uint64_t value = 0;
    for (int i = count; i-- > 0;) value = value << 8 | bytes[i];
    return value;
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }
static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void fill_random(void *bytes, size_t count) {
    if (getrandom(bytes, count, 0) != (ssize_t)count) fail(IO_ERROR, "no random numbers: %s", strerror(errno));
}

// Uniform between the bounds, which are included.
static int64_t between(int64_t least, int64_t most) {
    uint64_t random;
    fill_random(&random, sizeof random);
    return most > least ? least + (int64_t)(random % (uint64_t)(most - least + 1)) : least;
}

// CRC-32C of bytes, going on from a remainder (2). It starts with ffffffff and is inverted at the end.
static uint32_t crc32c(uint32_t remainder, const uint8_t *bytes, size_t count) {
    static uint32_t table[256];
    if (table[1] == 0) {
        for (uint32_t i = 0; i < 256; i++) {
            uint32_t value = i;
            for (int bit = 0; bit < 8; bit++) value = value >> 1 ^ (value & 1 ? 0x82f63b78 : 0);
            table[i] = value;
        }
    }
    for (size_t i = 0; i < count; i++) remainder = remainder >> 8 ^ table[(remainder ^ bytes[i]) & 0xff];
    return remainder;
}

// XXH64 with seed 0, by its specification: blocks of 32 bytes go round four lanes, the rest is mixed in at the end.
struct xxh64 {
    uint64_t lanes[4], total;
    uint8_t block[32];
};

static const uint64_t PRIME1 = 0x9e3779b185ebca87, PRIME2 = 0xc2b2ae3d27d4eb4f, PRIME3 = 0x165667b19e3779f9,
                      PRIME4 = 0x85ebca77c2b2ae63, PRIME5 = 0x27d4eb2f165667c5;

static uint64_t rotated(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }
static uint64_t round_of(uint64_t lane, uint64_t input) { return rotated(lane + input * PRIME2, 31) * PRIME1; }

static struct xxh64 hash_begin(void) {
    return (struct xxh64){.lanes = {PRIME1 + PRIME2, PRIME2, 0, 0 - PRIME1}};
}

static void hash_add(struct xxh64 *hash, const void *data, size_t count) {
    const uint8_t *bytes = data;
    while (count > 0) {
        size_t filled = hash->total % 32, taken = smaller(32 - filled, count);
        memcpy(hash->block + filled, bytes, taken);
        hash->total += taken;
        bytes += taken;
        count -= taken;
        if (hash->total % 32 != 0) return;
        for (int i = 0; i < 4; i++) hash->lanes[i] = round_of(hash->lanes[i], get_little(hash->block + 8 * i, 8));
    }
}

static uint64_t hash_end(const struct xxh64 *hash) {
    const uint64_t *lanes = hash->lanes;
    uint64_t value = PRIME5;
    if (hash->total >= 32) {
        value = rotated(lanes[0], 1) + rotated(lanes[1], 7) + rotated(lanes[2], 12) + rotated(lanes[3], 18);
        for (int i = 0; i < 4; i++) value = (value ^ round_of(0, lanes[i])) * PRIME1 + PRIME4;
    }
    value += hash->total;
    const uint8_t *rest = hash->block, *end = rest + hash->total % 32;
    for (; end - rest >= 8; rest += 8) {
        value = rotated(value ^ round_of(0, get_little(rest, 8)), 27) * PRIME1 + PRIME4;
    }
    if (end - rest >= 4) {
        value = rotated(value ^ get_little(rest, 4) * PRIME1, 23) * PRIME2 + PRIME3;
        rest += 4;
    }
    for (; rest < end; rest++) value = rotated(value ^ *rest * PRIME5, 11) * PRIME1;
    value = (value ^ value >> 33) * PRIME2;
    value = (value ^ value >> 29) * PRIME3;
    return value ^ value >> 32;
}

static uint64_t xxh64(const void *bytes, size_t count) {
    struct xxh64 hash = hash_begin();
    hash_add(&hash, bytes, count);
    return hash_end(&hash);
}

// ------------------------------------------------------------------------------------------------ records (3, 6)

struct record {
    uint32_t number;
    uint8_t type;
    const uint8_t *begin, *value, *end;  // with its tag, without it (and without a length), and behind it
};

// Reads a varint of at most `longest` bytes. NULL, or why not.
static const char *read_varint(const uint8_t **at, const uint8_t *end, int longest, uint64_t *value) {
    *value = 0;
    for (int i = 0; i < longest; i++) {
        if (*at == end) return "TRUNCATED";
        uint8_t byte = *(*at)++;
        if (i < 10) *value |= (uint64_t)(byte & 0x7f) << 7 * i;
        if (byte < 0x80) return NULL;
    }
    return "MALFORMED";
}

// The record at `at`, which isn't the end. NULL, or why there is none.
static const char *read_record(const uint8_t *at, const uint8_t *end, struct record *record) {
    uint64_t tag, value;
    record->begin = at;
    const char *reason = read_varint(&at, end, 5, &tag);
    if (reason != NULL) return reason;
    if (tag >> 3 == 0 || tag >> 3 > 0x1fffffff) return "MALFORMED";
    record->number = (uint32_t)(tag >> 3);
    record->type = tag & 7;
    record->value = at;
    uint64_t size = 0;
    switch (record->type) {
    case 0:
        if ((reason = read_varint(&at, end, 10, &value)) != NULL) return reason;
        break;
    case 1: size = 8; break;
    case 2:
        if ((reason = read_varint(&at, end, 5, &size)) != NULL) return reason;
        record->value = at;
        break;
    case 5: size = 4; break;
    default: return "WRONG_WIRE_TYPE";
    }
    if (size > (uint64_t)(end - at)) return "TRUNCATED";
    record->end = at + size;
    return NULL;
}

static bool is_canonical(const uint8_t *bytes, size_t count) {
    struct record record;
    uint32_t before = 0;
    for (const uint8_t *at = bytes, *end = bytes + count; at < end; at = record.end) {
        if (read_record(at, end, &record) != NULL || record.number < before) return false;
        before = record.number;
    }
    return true;
}

// A FieldChange of its own memory.
struct change {
    bool replace;
    size_t records_size, cleared_count;
    uint32_t *cleared;
    uint8_t records[];
};

static struct change *change_of(const Marquee__V1__FieldChange *message) {
    size_t numbers = message->n_cleared * sizeof(uint32_t);
    struct change *change = resized(NULL, sizeof *change + message->records.len);
    *change = (struct change){message->replace, message->records.len, message->n_cleared, NULL};
    if (message->records.len) memcpy(change->records, message->records.data, message->records.len);
    if (numbers) change->cleared = memcpy(resized(NULL, numbers), message->cleared, numbers);
    return change;
}

static void free_change(struct change *change) {
    if (change != NULL) free(change->cleared);
    free(change);
}

// Applies a change to a body (6). False where it is refused.
static bool apply_change(const struct change *change, const uint8_t *body, size_t size, struct buffer *result) {
    const uint8_t *at = change->records, *end = at + change->records_size;
    result->count = 0;
    if (!is_canonical(at, change->records_size) || (change->replace && change->cleared_count)) return false;
    if (change->replace) {
        add_bytes(result, at, change->records_size);
        return result->count <= BODY_BYTES;
    }
    if (!is_canonical(body, size)) return false;
    for (size_t i = 0; i < change->cleared_count; i++) {
        uint32_t number = change->cleared[i];
        if (number == 0 || number > 0x1fffffff || (i > 0 && number <= change->cleared[i - 1])) return false;
    }
    struct record old, new;
    size_t clear = 0;
    uint32_t replaced = 0;  // the number whose new records were written last
    for (const uint8_t *from = body, *body_end = body + size; from < body_end || at < end;) {
        if (at < end) read_record(at, end, &new);
        if (from < body_end) read_record(from, body_end, &old);
        bool takes_new = at < end && (from == body_end || new.number <= old.number);
        uint32_t number = takes_new ? new.number : old.number;
        while (clear < change->cleared_count && change->cleared[clear] < number) clear++;
        bool is_cleared = clear < change->cleared_count && change->cleared[clear] == number;
        if (takes_new) {
            if (is_cleared) return false;
            add_bytes(result, new.begin, (size_t)(new.end - new.begin));
            replaced = number;
            at = new.end;
        } else {
            if (!is_cleared && number != replaced) add_bytes(result, old.begin, (size_t)(old.end - old.begin));
            from = old.end;
        }
        if (result->count > BODY_BYTES) return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------ versions (7)

struct item {
    unsigned references;
    uint32_t kind, id_size, subject_size, body_size;
    uint64_t body_hash;
    char bytes[];  // the id and its NUL, the subject and its NUL, the body
};

struct version {
    unsigned references;
    uint32_t count, head_size;
    uint64_t sum, head_hash;
    uint8_t *head;
    struct item *items[];
};

static size_t held_bytes;  // of all items and versions
static struct version *empty;

static const char *id_of(const struct item *item) { return item->bytes; }
static const char *subject_of(const struct item *item) { return item->bytes + item->id_size + 1; }
static const uint8_t *body_of(const struct item *item) {
    return (const uint8_t *)item->bytes + item->id_size + item->subject_size + 2;
}
static size_t size_of(const struct item *item) {
    return sizeof *item + item->id_size + item->subject_size + 2 + item->body_size;
}

static struct item *make_item(
    const char *id, uint32_t kind, const char *subject, const uint8_t *body, size_t body_size) {
    struct item shape = {1, kind, (uint32_t)strlen(id), (uint32_t)strlen(subject), (uint32_t)body_size, 0};
    struct item *item = resized(NULL, size_of(&shape));
    *item = shape;
    memcpy(item->bytes, id, shape.id_size + 1);
    memcpy(item->bytes + shape.id_size + 1, subject, shape.subject_size + 1);
    if (body_size) memcpy(item->bytes + shape.id_size + shape.subject_size + 2, body, body_size);
    item->body_hash = xxh64(body_of(item), body_size);
    held_bytes += size_of(item);
    return item;
}

static struct item *keep_item(struct item *item) {
    item->references++;
    return item;
}

static void drop_item(struct item *item) {
    if (item == NULL || --item->references > 0) return;
    held_bytes -= size_of(item);
    free(item);
}

static void hash_number(struct xxh64 *hash, uint64_t value, int count) {
    uint8_t bytes[8];
    put_little(bytes, value, count);
    hash_add(hash, bytes, (size_t)count);
}

static void hash_text(struct xxh64 *hash, const char *text) {
    size_t size = strlen(text);
    hash_number(hash, size, 4);
    hash_add(hash, text, size);
}

static uint64_t edge(const char *before, const char *id, uint32_t kind, const char *subject, uint64_t body_hash) {
    struct xxh64 hash = hash_begin();
    hash_text(&hash, before);
    hash_text(&hash, id);
    hash_number(&hash, kind, 4);
    hash_text(&hash, subject);
    hash_number(&hash, body_hash, 8);
    return hash_end(&hash);
}

// The sum of a list, with other hashes in place of its bodies' if there are any.
static uint64_t sum_of(const struct version *version, const uint64_t *hashes) {
    uint64_t total = version->head_hash;
    const char *before = "";
    for (uint32_t i = 0; i < version->count; i++) {
        const struct item *item = version->items[i];
        total += edge(before, id_of(item), item->kind, subject_of(item), hashes ? hashes[i] : item->body_hash);
        before = id_of(item);
    }
    return total + edge(before, "", 0, "", 0);
}

// Takes over the references to the items.
static struct version *make_version(const uint8_t *head, size_t head_size, struct item **items, size_t count) {
    struct version *version = resized(NULL, sizeof *version + count * sizeof(struct item *));
    *version = (struct version){1, (uint32_t)count, (uint32_t)head_size, 0, 0, resized(NULL, head_size)};
    if (head_size) memcpy(version->head, head, head_size);
    if (count) memcpy(version->items, items, count * sizeof(struct item *));
    version->head_hash = xxh64(version->head, head_size);
    version->sum = sum_of(version, NULL);
    held_bytes += sizeof *version + head_size + count * sizeof(struct item *);
    return version;
}

static struct version *keep_version(struct version *version) {
    version->references++;
    return version;
}

static void drop_version(struct version *version) {
    if (version == NULL || --version->references > 0) return;
    held_bytes -= sizeof *version + version->head_size + version->count * sizeof(struct item *);
    for (uint32_t i = 0; i < version->count; i++) drop_item(version->items[i]);
    free(version->head);
    free(version);
}

// ------------------------------------------------------------------------------------------------ patches (8)

// The parts of one patch, joined as they come.
struct patch {
    bool is_open, is_complete, has_base;
    uint64_t handle, base, target, cut[4];
    uint32_t count;
    size_t adds_count, updates_count, adds_room, updates_room, bytes;
    struct buffer script;
    struct item **adds;
    struct change **updates, *head;
};

static void free_patch(struct patch *patch) {
    for (size_t i = 0; i < patch->adds_count; i++) drop_item(patch->adds[i]);
    for (size_t i = 0; i < patch->updates_count; i++) free_change(patch->updates[i]);
    free_change(patch->head);
    free(patch->adds);
    free(patch->updates);
    free_buffer(&patch->script);
    *patch = (struct patch){0};
}

static void *grown(void *rows, size_t *room, size_t count, size_t more, size_t row) {
    if (*room - count >= more && rows != NULL) return rows;
    *room = larger(count + more, *room * 2);
    return resized(rows, *room * row);
}

// Adds a part. NULL, or a word on why it doesn't fit.
static const char *add_part(struct patch *patch, const Marquee__V1__Part *part) {
    uint64_t cut[4] = {0};
    if (part->cut != NULL) {
        uint64_t values[4] = {part->cut->catalogue_epoch, part->cut->catalogue_revision, part->cut->user_epoch,
                              part->cut->user_revision};
        memcpy(cut, values, sizeof cut);
    }
    if (!patch->is_open) {
        *patch = (struct patch){.is_open = true, .has_base = part->has_base_sum, .handle = part->handle,
                                .base = part->base_sum, .target = part->target_sum, .count = part->count};
        memcpy(patch->cut, cut, sizeof cut);
        patch->head = part->head ? change_of(part->head) : NULL;
    } else if (patch->is_complete || part->head != NULL || patch->handle != part->handle ||
               patch->has_base != part->has_base_sum || patch->base != part->base_sum ||
               patch->target != part->target_sum || patch->count != part->count ||
               memcmp(patch->cut, cut, sizeof cut) != 0) {
        return "mixedParts";
    }
    if (part->n_adds > LIST_ITEMS - patch->adds_count || part->n_updates > LIST_ITEMS - patch->updates_count) {
        return "wrongCount";
    }
    add_bytes(&patch->script, part->script.data, part->script.len);
    patch->adds = grown(patch->adds, &patch->adds_room, patch->adds_count, part->n_adds, sizeof *patch->adds);
    patch->updates =
        grown(patch->updates, &patch->updates_room, patch->updates_count, part->n_updates, sizeof *patch->updates);
    for (size_t i = 0; i < part->n_adds; i++) {
        const Marquee__V1__Item *item = part->adds[i];
        if (item->body.len > BODY_BYTES) return "invalidBody";
        patch->adds[patch->adds_count++] =
            make_item(item->id, item->kind, item->subject ? item->subject : "", item->body.data, item->body.len);
    }
    for (size_t i = 0; i < part->n_updates; i++) patch->updates[patch->updates_count++] = change_of(part->updates[i]);
    patch->is_complete = !part->more;
    return NULL;
}

// The next varint of a script: of at most five bytes, in its shortest form.
static bool read_word(const uint8_t **at, const uint8_t *end, uint64_t *word) {
    const uint8_t *begin = *at;
    if (read_varint(at, end, 5, word) != NULL || *word > UINT32_MAX) return false;
    return *at - begin == 1 || (*at)[-1] != 0;
}

static int compare_ids(const void *a, const void *b) {
    return strcmp(id_of(*(struct item *const *)a), id_of(*(struct item *const *)b));
}

// A list in the making.
struct list {
    struct item **items;
    uint8_t *is_added, *is_used;
    size_t count;
};

// Builds the list of a patch. NULL, or a word of vectors/scripts.json.
static const char *build(struct list *list, const struct patch *patch, const struct version *base) {
    enum { KEEP, MOVE, ADD, UPDATE };
    const uint8_t *at = patch->script.bytes, *end = at + patch->script.count;
    uint64_t word, operand, keep_end = 0, update_end = 0, adds = 0, updates = 0;
    struct buffer body = {0};
    const char *why = NULL;
    while (at != end && why == NULL) {
        if (!read_word(&at, end, &word) || word >> 2 == 0) return free_buffer(&body), "malformedScript";
        uint64_t count = word >> 2, opcode = word & 3;
        operand = 0;
        if (opcode != ADD && !read_word(&at, end, &operand)) return free_buffer(&body), "malformedScript";
        if (opcode == UPDATE) {
            uint64_t position = update_end + operand;
            update_end = position + count;
            if (update_end > list->count) why = "outOfRange";
            for (; position < update_end && why == NULL; position++) {
                struct item *item = list->items[position];
                if (list->is_added[position]) {
                    why = "updateOfAdded";
                } else if (updates == patch->updates_count) {
                    why = "wrongCount";
                } else if (!apply_change(patch->updates[updates++], body_of(item), item->body_size, &body)) {
                    why = "invalidBody";
                } else {
                    list->items[position] =
                        make_item(id_of(item), item->kind, subject_of(item), body.bytes, body.count);
                    drop_item(item);
                }
            }
            continue;
        }
        uint64_t start = operand + (opcode == KEEP ? keep_end : 0);
        if (update_end > 0) {
            why = "malformedScript";
        } else if (opcode == ADD && count > patch->adds_count - adds) {
            why = "wrongCount";
        } else if (opcode != ADD && start + count > base->count) {
            why = "outOfRange";
        }
        for (uint64_t i = 0; i < count && why == NULL; i++) {
            if (opcode != ADD && list->is_used[start + i]) {
                why = "usedTwice";
            } else if (list->count == patch->count) {
                why = "wrongCount";
            } else {
                list->is_added[list->count] = opcode == ADD;
                if (opcode != ADD) list->is_used[start + i] = 1;
                list->items[list->count++] = keep_item(opcode == ADD ? patch->adds[adds++] : base->items[start + i]);
            }
        }
        if (opcode == KEEP) keep_end = start + count;
    }
    free_buffer(&body);
    if (why != NULL) return why;
    if (list->count != patch->count || adds != patch->adds_count || updates != patch->updates_count) {
        return "wrongCount";
    }
    struct item **sorted = resized(NULL, list->count * sizeof *sorted);
    if (list->count) memcpy(sorted, list->items, list->count * sizeof *sorted);
    qsort(sorted, list->count, sizeof *sorted, compare_ids);
    for (size_t i = 0; i < list->count && why == NULL; i++) {
        if (*id_of(sorted[i]) == 0 || (i > 0 && compare_ids(&sorted[i - 1], &sorted[i]) == 0)) why = "invalidID";
    }
    free(sorted);
    return why;
}

// What `held` becomes. NULL, or a word of vectors/scripts.json on why it is refused.
static const char *apply_patch(const struct patch *patch, struct version *held, struct version **result) {
    const struct version *base = held;
    if (!patch->has_base || patch->base == empty->sum) {
        base = empty;
    } else if (held == NULL || held->sum != patch->base) {
        return "otherBase";
    }
    struct buffer head = {0};
    struct list list = {
        calloc(patch->count + 1, sizeof *list.items), calloc(patch->count + 1, 1), calloc(base->count + 1, 1), 0};
    if (!list.items || !list.is_added || !list.is_used) fail(IO_ERROR, "no memory for %" PRIu32 " items", patch->count);
    const char *why = build(&list, patch, base);
    if (patch->head == NULL) {
        add_bytes(&head, base->head, base->head_size);
    } else if (why == NULL && !apply_change(patch->head, base->head, base->head_size, &head)) {
        why = "invalidBody";
    }
    if (why == NULL) {
        *result = make_version(head.bytes ? head.bytes : (const uint8_t *)"", head.count, list.items, list.count);
        if ((*result)->sum != patch->target) {
            drop_version(*result);
            why = "otherTarget";
        }
    } else {
        for (size_t i = 0; i < list.count; i++) drop_item(list.items[i]);
    }
    free(list.items);
    free(list.is_added);
    free(list.is_used);
    free_buffer(&head);
    return why;
}

// ------------------------------------------------------------------------------------------------ the guard (3, 4)

// protobuf-c has no limits of its own: each message that it decodes may take ARENA_BYTES.
static size_t arena_used, arena_limit;
static bool arena_exhausted;

static void *arena_take(void *unused, size_t size) {
    (void)unused;
    size_t *block = NULL;
    if (size <= ARENA_BYTES && arena_used + size + 16 <= arena_limit) block = malloc(size + 16);
    if (block == NULL) {
        arena_exhausted = true;
        return NULL;
    }
    arena_used += *block = size + 16;
    return (uint8_t *)block + 16;
}

static void arena_give(void *unused, void *bytes) {
    (void)unused;
    if (bytes == NULL) return;
    size_t *block = (size_t *)(void *)((uint8_t *)bytes - 16);
    arena_used -= *block;
    free(block);
}

static ProtobufCAllocator arena = {arena_take, arena_give, NULL};

static void *unpack(const ProtobufCMessageDescriptor *type, const uint8_t *bytes, size_t size) {
    arena_exhausted = false;
    arena_limit = arena_used + ARENA_BYTES;
    return protobuf_c_message_unpack(type, &arena, size, bytes);
}

static void release(void *message) {
    if (message != NULL) protobuf_c_message_free_unpacked(message, &arena);
}

// The fields that have to be there, as bits by number.
#define BIT(number) (UINT64_C(1) << (number))
static const struct {
    const char *message;
    uint64_t fields;
} NEEDED[] = {
    {"Hello", BIT(1) | BIT(2) | BIT(8)}, {"Welcome", BIT(1) | BIT(3) | BIT(6) | BIT(7)}, {"Progress", BIT(1)},
    {"Ack", BIT(1)}, {"GoAway", BIT(1)}, {"Close", BIT(1)}, {"Subscribe", BIT(1) | BIT(3)},
    {"SectionParameters", BIT(1)}, {"Resume", BIT(1) | BIT(2)}, {"HeldSection", BIT(1) | BIT(2)},
    {"Unsubscribe", BIT(1)}, {"SubscriptionError", BIT(1) | BIT(3)},
    {"Join", BIT(1) | BIT(3) | BIT(4) | BIT(6) | BIT(7) | BIT(8)}, {"Binding", BIT(1) | BIT(2)},
    {"Part", BIT(1) | BIT(3) | BIT(8)}, {"Item", BIT(1) | BIT(2)}, {"Nack", BIT(1) | BIT(4)},
    {"HeldVersion", BIT(1)}, {"Repair", BIT(1)}, {"Rebase", BIT(2)}, {"RebaseSection", BIT(2)},
    {"Manifest", BIT(1) | BIT(2) | BIT(3)}, {"Request", BIT(1) | BIT(2)}, {"Answer", BIT(1)}, {"Cancel", BIT(1)},
};

// The scalar at `at`, or -1 where there is no valid one: surrogates, overlong forms and too large ones aren't.
static int32_t next_scalar(const uint8_t **at, const uint8_t *end) {
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
    static const int32_t least[] = {0, 0x80, 0x800, 0x10000};
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

struct budget {
    uint32_t elements, records;
};

static uint8_t wire_type_of(ProtobufCType type) {
    switch (type) {
    case PROTOBUF_C_TYPE_FIXED64: case PROTOBUF_C_TYPE_SFIXED64: case PROTOBUF_C_TYPE_DOUBLE: return 1;
    case PROTOBUF_C_TYPE_STRING: case PROTOBUF_C_TYPE_BYTES: case PROTOBUF_C_TYPE_MESSAGE: return 2;
    case PROTOBUF_C_TYPE_FIXED32: case PROTOBUF_C_TYPE_SFIXED32: case PROTOBUF_C_TYPE_FLOAT: return 5;
    default: return 0;
    }
}

// How many numbers a packed field holds.
static const char *count_packed(const struct record *record, uint8_t type, uint32_t *count) {
    size_t size = (size_t)(record->end - record->value), width = type == 1 ? 8 : 4;
    uint64_t value;
    if (type != 0) {
        *count = (uint32_t)(size / width);
        return size % width ? "MALFORMED" : NULL;
    }
    *count = 0;
    for (const uint8_t *at = record->value; at < record->end; ++*count) {
        const char *reason = read_varint(&at, record->end, 10, &value);
        if (reason != NULL) return reason;
    }
    return NULL;
}

// One pass over the bytes of a message, before anything is decoded. NULL, or the reason to refuse it.
static const char *guard(
    const uint8_t *at, const uint8_t *end, const ProtobufCMessageDescriptor *message, struct budget *budget,
    int level) {
    if (level > DEPTH) return "TOO_DEEP";
    uint64_t seen = 0;
    int unknown = 0;
    struct record record;
    for (; at < end; at = record.end) {
        const char *reason = read_record(at, end, &record);
        if (reason != NULL) return reason;
        if (budget->records-- == 0) return "TOO_MANY_RECORDS";
        const ProtobufCFieldDescriptor *field = protobuf_c_message_descriptor_get_field(message, record.number);
        if (field == NULL) {
            if (++unknown > UNKNOWN_FIELDS) return "TOO_MANY_UNKNOWN_FIELDS";
            continue;
        }
        bool repeated = field->label == PROTOBUF_C_LABEL_REPEATED;
        uint8_t type = wire_type_of(field->type);
        uint32_t elements = 1;
        if (record.type != type) {
            if (!repeated || type == 2 || record.type != 2) return "WRONG_WIRE_TYPE";
            if ((reason = count_packed(&record, type, &elements)) != NULL) return reason;
        }
        if (repeated && elements > budget->elements) return "TOO_MANY_ELEMENTS";
        if (repeated) budget->elements -= elements;
        uint64_t bit = record.number < 64 ? BIT(record.number) : 0;
        if (field->type == PROTOBUF_C_TYPE_MESSAGE) {
            if (!repeated && (seen & bit)) return "REPEATED_SUBMESSAGE";
            reason = guard(record.value, record.end, field->descriptor, budget, level + 1);
            if (reason != NULL) return reason;
        }
        // A text that is empty says as little as an absent one; the last of several counts.
        seen |= bit;
        if (field->type == PROTOBUF_C_TYPE_STRING) {
            if ((reason = check_text(record.value, record.end)) != NULL) return reason;
            if (record.value == record.end) seen &= ~bit;
        }
    }
    for (size_t i = 0; i < sizeof NEEDED / sizeof *NEEDED; i++) {
        if (strcmp(NEEDED[i].message, message->short_name) == 0 && (NEEDED[i].fields & ~seen)) return "MISSING_FIELD";
    }
    return NULL;
}

static bool limits_hold(const Marquee__V1__Limits *limits) {
    return limits == NULL || !((limits->has_frame_bytes && limits->frame_bytes < 4096) ||
                               (limits->has_part_bytes && limits->part_bytes < 4096) ||
                               (limits->has_elements_per_frame && limits->elements_per_frame < 64) ||
                               (limits->has_credit_bytes && limits->credit_bytes < 1) ||
                               (limits->has_cut_bytes && limits->cut_bytes < 1));
}

// Whether the fields have values that they may have (3).
static bool is_in_range(const ProtobufCMessage *any) {
    const ProtobufCMessageDescriptor *type = any->descriptor;
    if (type == &marquee__v1__hello__descriptor) {
        const Marquee__V1__Hello *hello = (const void *)any;
        return hello->client_id.len == 16 && hello->protocol_min <= hello->protocol_max && limits_hold(hello->limits);
    }
    if (type == &marquee__v1__welcome__descriptor) return limits_hold(((const Marquee__V1__Welcome *)any)->limits);
    if (type == &marquee__v1__part__descriptor) return ((const Marquee__V1__Part *)any)->count <= LIST_ITEMS;
    if (type == &marquee__v1__join__descriptor) return strlen(((const Marquee__V1__Join *)any)->screen) <= NAME_BYTES;
    if (type == &marquee__v1__subscribe__descriptor) {
        return strlen(((const Marquee__V1__Subscribe *)any)->screen) <= NAME_BYTES;
    }
    if (type == &marquee__v1__manifest__descriptor) return ((const Marquee__V1__Manifest *)any)->pairs.len % 16 == 0;
    if (type == &marquee__v1__go_away__descriptor) {
        const Marquee__V1__GoAway *away = (const void *)any;
        return !away->has_reconnect_max_ms || away->reconnect_min_ms <= away->reconnect_max_ms;
    }
    return true;
}

// Checks a message and decodes it. NULL, or the reason to refuse it.
static const char *decode(
    const ProtobufCMessageDescriptor *type, const uint8_t *bytes, size_t size, uint32_t elements, void *result) {
    struct budget budget = {elements, 8 * elements + 1024};
    const char *reason = guard(bytes, bytes + size, type, &budget, 1);
    if (reason != NULL) return reason;
    ProtobufCMessage *message = unpack(type, bytes, size);
    if (message == NULL) return arena_exhausted ? "ARENA_EXHAUSTED" : "MALFORMED";
    if (!is_in_range(message)) {
        release(message);
        return "OUT_OF_RANGE";
    }
    *(void **)result = message;
    return NULL;
}

enum { BY_CLIENT = 1, BY_SERVER = 2, IN_CUT = 4 };

static const struct kind {
    uint16_t kind, flags;
    const ProtobufCMessageDescriptor *type;
} KINDS[] = {
    {HELLO, BY_CLIENT, &marquee__v1__hello__descriptor}, {WELCOME, BY_SERVER, &marquee__v1__welcome__descriptor},
    {PING, BY_CLIENT | BY_SERVER, &marquee__v1__ping__descriptor},
    {PONG, BY_CLIENT | BY_SERVER, &marquee__v1__pong__descriptor},
    {PROGRESS, BY_SERVER, &marquee__v1__progress__descriptor}, {ACK, BY_CLIENT, &marquee__v1__ack__descriptor},
    {GO_AWAY, BY_SERVER, &marquee__v1__go_away__descriptor},
    {CLOSE, BY_CLIENT | BY_SERVER, &marquee__v1__close__descriptor},
    {SUBSCRIBE, BY_CLIENT, &marquee__v1__subscribe__descriptor},
    {UNSUBSCRIBE, BY_CLIENT, &marquee__v1__unsubscribe__descriptor},
    {SUBSCRIPTION_ERROR, BY_SERVER, &marquee__v1__subscription_error__descriptor},
    {JOIN, BY_SERVER | IN_CUT, &marquee__v1__join__descriptor}, {NACK, BY_CLIENT, &marquee__v1__nack__descriptor},
    {REPAIR, BY_SERVER | IN_CUT, &marquee__v1__repair__descriptor},
    {REBASE, BY_SERVER, &marquee__v1__rebase__descriptor}, {MANIFEST, BY_CLIENT, &marquee__v1__manifest__descriptor},
    {DATA, BY_SERVER | IN_CUT, &marquee__v1__part__descriptor}, {STAGE, BY_SERVER, &marquee__v1__part__descriptor},
    {REQUEST, BY_CLIENT, &marquee__v1__request__descriptor}, {ANSWER, BY_SERVER, &marquee__v1__answer__descriptor},
    {CANCEL, BY_CLIENT, &marquee__v1__cancel__descriptor},
};

static const struct kind *kind_of(uint16_t number) {
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        if (KINDS[i].kind == number) return &KINDS[i];
    }
    return NULL;
}

static void add_frame(struct buffer *to, uint16_t kind, const void *message) {
    size_t size = protobuf_c_message_get_packed_size(message);
    uint8_t *body = resized(NULL, size), header[HEADER_BYTES];
    protobuf_c_message_pack(message, body);
    put_big(header, 8 + size, 4);
    put_big(header + 4, kind, 2);
    put_big(header + 6, 0, 2);
    put_big(header + 8, crc32c(crc32c(0xffffffff, body, size), header, 8) ^ 0xffffffff, 4);
    add_bytes(to, header, sizeof header);
    add_bytes(to, body, size);
    free(body);
}

// Cuts frames off the front of bytes, and judges a length as soon as it is there. NULL where `size` is 0 or a
// frame's; that of a damaged one is given as well.
static const char *split(const uint8_t *bytes, size_t count, uint32_t limit, size_t *size) {
    *size = 0;
    if (count < 4) return NULL;
    uint64_t length = get_big(bytes, 4);
    if (length < 8) return "FRAME_TOO_SHORT";
    if (length > limit) return "FRAME_TOO_LONG";
    if (count < 4 + length) return NULL;
    *size = 4 + length;
    uint32_t check = crc32c(crc32c(0xffffffff, bytes + HEADER_BYTES, length - 8), bytes, 8) ^ 0xffffffff;
    return check == get_big(bytes + 8, 4) ? NULL : "FRAME_DAMAGED";
}

enum { CATALOGUE, USER, LOGS };

struct cut {
    uint64_t epochs[LOGS], revisions[LOGS];
};

// Sets a field of a message that has a number.
#define SET(message, field, value) ((message)->has_##field = true, (message)->field = (value))

static Marquee__V1__Cut *cut_message(Marquee__V1__Cut *message, const struct cut *cut) {
    *message = (Marquee__V1__Cut)MARQUEE__V1__CUT__INIT;
    SET(message, catalogue_epoch, cut->epochs[CATALOGUE]);
    SET(message, catalogue_revision, cut->revisions[CATALOGUE]);
    SET(message, user_epoch, cut->epochs[USER]);
    SET(message, user_revision, cut->revisions[USER]);
    return message;
}

// ------------------------------------------------------------------------------------------------ what is held

struct section {
    char *id;         // empty: the view's own list, which comes first
    uint64_t handle;  // 0 unless it is bound on this connection
    struct version *version;
    bool is_withheld, is_changed;  // not offered; not printed yet
};

struct view {
    char *screen, *locale;
    struct section *sections;
    size_t count;
    struct cut cut;  // at which it was last live
    bool is_wanted, is_joined, is_withheld, is_ended;
    uint32_t subscription;  // 0: none on this connection
    unsigned attempts;
    int64_t retry_at;
};

struct seen {
    uint64_t epoch, claimed, proven;
};

// A mirror: what outlives connections, and with a path the program.
static struct {
    const char *path;
    uint8_t client_id[16];
    char *cluster, *user;
    // The newest revision of each epoch, the latest epoch last: claimed by the server, and proven by content (5).
    struct seen seen[LOGS][EPOCHS];
    size_t seen_count[LOGS], count;
    struct view views[VIEWS];
    struct cut durable;  // what a power cut would leave
    bool is_durable, is_unstored, has_durable;
} mirror = {.cluster = NULL};

static struct {
    const char *server, *user, *token, *locale;
    bool is_ndjson;
    int64_t count, timeout_ms;
} options = {.server = "127.0.0.1:7420", .user = "", .locale = "", .count = -1};

static void free_sections(struct section *sections, size_t count) {
    for (size_t i = 0; i < count; i++) {
        drop_version(sections[i].version);
        free(sections[i].id);
    }
    free(sections);
}

static struct section *section_of(struct view *view, const char *id) {
    for (size_t i = 0; i < view->count; i++) {
        if (strcmp(view->sections[i].id, id) == 0) return &view->sections[i];
    }
    return NULL;
}

static struct view *view_named(const char *screen) {
    for (size_t i = 0; i < mirror.count; i++) {
        if (strcmp(mirror.views[i].screen, screen) == 0) return &mirror.views[i];
    }
    return NULL;
}

static struct view *add_view(const char *screen) {
    if (mirror.count == VIEWS) {  // The mirror is full: the oldest view that isn't wanted leaves.
        size_t oldest = 0;
        while (mirror.views[oldest].is_wanted) oldest++;
        struct view *view = &mirror.views[oldest];
        free_sections(view->sections, view->count);
        free(view->screen);
        free(view->locale);
        memmove(view, view + 1, (--mirror.count - oldest) * sizeof *view);
    }
    struct view *view = &mirror.views[mirror.count++];
    *view = (struct view){.screen = copy_of(screen), .locale = copy_of("")};
    return view;
}

static void note_seen(int log, uint64_t epoch, uint64_t revision, bool is_proof) {
    size_t count = mirror.seen_count[log], at = 0;
    if (epoch == 0) return;  // There is no user.
    while (at < count && mirror.seen[log][at].epoch != epoch) at++;
    struct seen one = {epoch, 0, 0};
    if (at < count) {
        one = mirror.seen[log][at];
    } else if (count < EPOCHS) {
        mirror.seen_count[log] = ++count;
    } else {
        at = 0;
    }
    memmove(&mirror.seen[log][at], &mirror.seen[log][at + 1], (count - 1 - at) * sizeof one);
    one.claimed = larger(one.claimed, revision);
    if (is_proof) one.proven = larger(one.proven, revision);
    mirror.seen[log][count - 1] = one;
}

// A subscribe, and what it points to.
struct offer {
    Marquee__V1__Subscribe message;
    Marquee__V1__Resume resume;
    Marquee__V1__Cut cut;
    Marquee__V1__HeldSection rows[SECTIONS], *pointers[SECTIONS];
};

// What is held of a view: for the file all of it, otherwise what isn't withheld.
static Marquee__V1__Subscribe *offer_of(struct offer *offer, struct view *view, char *locale, bool is_stored) {
    offer->message = (Marquee__V1__Subscribe)MARQUEE__V1__SUBSCRIBE__INIT;
    offer->resume = (Marquee__V1__Resume)MARQUEE__V1__RESUME__INIT;
    SET(&offer->message, subscription, view->subscription);
    SET(&offer->message, generation, 0);
    offer->message.screen = view->screen;
    offer->message.locale = locale;
    if (view->count == 0 || (!is_stored && (view->is_withheld || view->sections[0].is_withheld))) return &offer->message;
    offer->message.resume = &offer->resume;
    offer->resume.cut = cut_message(&offer->cut, &view->cut);
    SET(&offer->resume, view_sum, view->sections[0].version->sum);
    offer->resume.sections = offer->pointers;
    for (size_t i = 1; i < view->count; i++) {
        if (!is_stored && view->sections[i].is_withheld) continue;
        Marquee__V1__HeldSection *row = &offer->rows[offer->resume.n_sections];
        *row = (Marquee__V1__HeldSection)MARQUEE__V1__HELD_SECTION__INIT;
        row->section = view->sections[i].id;
        SET(row, sum, view->sections[i].version->sum);
        offer->pointers[offer->resume.n_sections++] = row;
    }
    return &offer->message;
}

// The file is made of frames, as the protocol has them: hello says whose it is; progress and ack say what each log is
// claimed and proven to have reached; each view is a subscribe with its resume, and a whole staged patch for each list.
static void write_version(struct buffer *to, FILE *file, uint64_t handle, const struct version *version) {
    enum { ROWS = 256 };
    Marquee__V1__Item rows[ROWS], *pointers[ROWS];
    uint32_t next = 0;
    do {
        Marquee__V1__Part part = MARQUEE__V1__PART__INIT;
        Marquee__V1__FieldChange head = MARQUEE__V1__FIELD_CHANGE__INIT;
        uint8_t script[5];
        SET(&part, handle, handle);
        SET(&part, target_sum, version->sum);
        SET(&part, count, version->count);
        if (next == 0) {
            uint64_t word = (uint64_t)version->count << 2 | 2;  // ADD
            size_t size = 0;
            for (; word > 0x7f; word >>= 7) script[size++] = (uint8_t)(word | 0x80);
            script[size++] = (uint8_t)word;
            if (version->count > 0) SET(&part, script, ((ProtobufCBinaryData){size, script}));
            SET(&head, records, ((ProtobufCBinaryData){version->head_size, version->head}));
            part.head = &head;
        }
        part.adds = pointers;
        for (size_t bytes = 0; next < version->count && part.n_adds < ROWS && bytes < PART_BYTES; next++) {
            const struct item *item = version->items[next];
            Marquee__V1__Item *row = pointers[part.n_adds] = &rows[part.n_adds];
            *row = (Marquee__V1__Item)MARQUEE__V1__ITEM__INIT;
            row->id = (char *)id_of(item);
            row->subject = (char *)subject_of(item);
            SET(row, kind, item->kind);
            SET(row, body, ((ProtobufCBinaryData){item->body_size, (uint8_t *)body_of(item)}));
            part.n_adds++;
            bytes += size_of(item);
        }
        SET(&part, more, next < version->count);
        add_frame(to, STAGE, &part);
        fwrite(to->bytes, 1, to->count, file);
        to->count = 0;
    } while (next < version->count);
}

static Marquee__V1__Hello hello_of(const char *user) {
    Marquee__V1__Hello hello = MARQUEE__V1__HELLO__INIT;
    SET(&hello, protocol_min, 1);
    SET(&hello, protocol_max, 1);
    SET(&hello, client_id, ((ProtobufCBinaryData){sizeof mirror.client_id, mirror.client_id}));
    hello.user = user != NULL && *user ? (char *)user : NULL;
    hello.cluster = mirror.cluster;
    hello.agent = (char *)AGENT;
    return hello;
}

static void write_mirror(FILE *file) {
    struct buffer row = {0};
    Marquee__V1__Hello hello = hello_of(mirror.user);
    Marquee__V1__Cut cut;
    add_frame(&row, HELLO, &hello);
    for (size_t i = 0; i < EPOCHS; i++) {
        struct cut claimed = {{0}, {0}}, proven = {{0}, {0}};
        for (int log = 0; log < LOGS; log++) {
            if (i >= mirror.seen_count[log]) continue;
            const struct seen *seen = &mirror.seen[log][i];
            claimed.epochs[log] = proven.epochs[log] = seen->epoch;
            claimed.revisions[log] = seen->claimed;
            proven.revisions[log] = seen->proven;
        }
        Marquee__V1__Progress progress = MARQUEE__V1__PROGRESS__INIT;
        Marquee__V1__Ack ack = MARQUEE__V1__ACK__INIT;
        SET(&ack, bytes, 0);
        progress.cut = cut_message(&cut, &claimed);
        add_frame(&row, PROGRESS, &progress);
        ack.cut = cut_message(&cut, &proven);
        add_frame(&row, ACK, &ack);
    }
    for (struct view *view = mirror.views; view < mirror.views + mirror.count; view++) {
        if (view->count == 0) continue;
        struct offer offer;
        add_frame(&row, SUBSCRIBE, offer_of(&offer, view, view->locale, true));
        for (size_t i = 0; i < view->count; i++) write_version(&row, file, i, view->sections[i].version);
    }
    fwrite(row.bytes, 1, row.count, file);
    free_buffer(&row);
}

// Stores everything, as a new file in place of the old one: a kill leaves either. `durably` survives a power cut too.
static void store(bool durably) {
    if (mirror.path == NULL || (mirror.is_durable && durably)) return;
    char path[4096];
    snprintf(path, sizeof path, "%s.new", mirror.path);
    int opened = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);  // collections are private
    FILE *file = opened >= 0 ? fdopen(opened, "wb") : NULL;
    bool is_stored = file != NULL;
    if (file != NULL) {
        write_mirror(file);
        is_stored = fflush(file) == 0 && !ferror(file) && (!durably || fsync(fileno(file)) == 0);
        is_stored = (fclose(file) == 0) && is_stored && rename(path, mirror.path) == 0;
    }
    if (is_stored && durably) {
        char *slash = strrchr(path, '/');
        if (slash != NULL) slash[1] = 0;
        int folder = open(slash != NULL ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        is_stored = folder >= 0 && fsync(folder) == 0;
        if (folder >= 0) close(folder);
    }
    // A full disk hides nothing: content is shown from memory, and stored by the first cut or progress that finds room.
    if (!is_stored) unlink(path);
    if (!is_stored && !mirror.is_unstored) fprintf(stderr, "marquee-client: not stored: %s\n", strerror(errno));
    mirror.is_unstored = !is_stored;
    mirror.is_durable = is_stored && durably;
}

// The next frame of a file; false at its end, or where it can't be read on.
static bool read_frame(struct buffer *file, size_t *at, uint16_t *kind, void **message) {
    size_t size;
    const uint8_t *bytes = file->bytes + *at;
    const char *reason = split(bytes, file->count - *at, STORED_FRAME_BYTES, &size);
    if (size == 0) return false;
    *at += size;
    *kind = (uint16_t)get_big(bytes + 4, 2);
    *message = NULL;
    const struct kind *type = reason == NULL ? kind_of(*kind) : NULL;
    if (type != NULL) decode(type->type, bytes + HEADER_BYTES, size - HEADER_BYTES, ELEMENTS, message);
    return true;
}

static void note_stored(const Marquee__V1__Cut *cut, bool is_proof) {
    note_seen(CATALOGUE, cut->catalogue_epoch, cut->catalogue_revision, is_proof);
    note_seen(USER, cut->user_epoch, cut->user_revision, is_proof);
}

static bool begin_view(const Marquee__V1__Subscribe *stored) {
    if (mirror.count == VIEWS || stored->resume == NULL || view_named(stored->screen) != NULL) return false;
    struct view *view = add_view(stored->screen);
    free(view->locale);
    view->locale = copy_of(stored->locale ? stored->locale : "");
    view->cut = (struct cut){{stored->resume->cut->catalogue_epoch, stored->resume->cut->user_epoch},
                             {stored->resume->cut->catalogue_revision, stored->resume->cut->user_revision}};
    return true;
}

// Reads a file. A list with a damaged byte in it is left out, and comes anew; the others are as good as before.
static bool read_mirror(struct buffer *file) {
    size_t at = 0;
    uint16_t kind;
    void *message;
    struct patch patch = {0};
    Marquee__V1__Subscribe *stored = NULL;
    if (!read_frame(file, &at, &kind, &message) || kind != HELLO || message == NULL) return false;
    Marquee__V1__Hello *hello = message;
    memcpy(mirror.client_id, hello->client_id.data, sizeof mirror.client_id);
    if (hello->cluster && *hello->cluster) {  // A server was reached.
        mirror.cluster = copy_of(hello->cluster);
        mirror.user = copy_of(hello->user ? hello->user : "");
    }
    release(hello);
    while (read_frame(file, &at, &kind, &message)) {
        Marquee__V1__Part *part = kind == STAGE ? message : NULL;
        if (kind == PROGRESS && message != NULL) {
            note_stored(((Marquee__V1__Progress *)message)->cut, false);
        } else if (kind == ACK && message != NULL && ((Marquee__V1__Ack *)message)->cut != NULL) {
            note_stored(((Marquee__V1__Ack *)message)->cut, true);
        } else if (kind == SUBSCRIBE) {
            release(stored);
            free_patch(&patch);
            stored = message != NULL && begin_view(message) ? message : NULL;
            if (stored != NULL) continue;
        } else if (part != NULL && stored != NULL) {
            struct view *view = &mirror.views[mirror.count - 1];
            struct version *version = NULL;
            if (part->head != NULL) free_patch(&patch);  // It is the first.
            bool is_own = part->handle == 0, is_known = part->handle <= stored->resume->n_sections;
            const char *id = is_own ? "" : is_known ? stored->resume->sections[part->handle - 1]->section : NULL;
            bool is_new = id != NULL && view->count <= SECTIONS && section_of(view, id) == NULL;
            if (add_part(&patch, part) == NULL && patch.is_complete && is_new &&
                apply_patch(&patch, NULL, &version) == NULL) {
                view->sections = resized(view->sections, (view->count + 1) * sizeof *view->sections);
                view->sections[view->count++] = (struct section){copy_of(id), 0, version, false, true};
            }
            if (patch.is_complete) free_patch(&patch);
        }
        release(message);
    }
    release(stored);
    free_patch(&patch);
    // Without its own list a view shows nothing, and has nothing to offer.
    for (size_t i = 0; i < mirror.count; i++) {
        struct view *view = &mirror.views[i];
        if (view->count == 0 || *view->sections[0].id == 0) continue;
        free_sections(view->sections, view->count);
        view->sections = NULL;
        view->count = 0;
    }
    return true;
}

// Opens the mirror, or begins one. No two programs use one file.
static void open_mirror(void) {
    char path[4096];
    struct stat status;
    if (snprintf(path, sizeof path, "%s.lock", mirror.path) > (int)sizeof path - 8) fail(USAGE, "--mirror is too long");
    int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock < 0) fail(CANT_CREATE, "%s: %s", path, strerror(errno));
    if (flock(lock, LOCK_EX | LOCK_NB) != 0) fail(CANT_CREATE, "%s is in use by another program", mirror.path);
    FILE *file = fopen(mirror.path, "rb");
    if (file == NULL && errno != ENOENT) fail(CANT_CREATE, "%s: %s", mirror.path, strerror(errno));
    if (file == NULL || fstat(fileno(file), &status) != 0 || status.st_size == 0) {
        if (file != NULL) fclose(file);
        return;
    }
    if ((uint64_t)status.st_size > HELD_BYTES) fail(DATA_ERROR, "%s is too large", mirror.path);
    struct buffer bytes = {resized(NULL, (size_t)status.st_size), 0, (size_t)status.st_size};
    bytes.count = fread(bytes.bytes, 1, bytes.room, file);
    fclose(file);
    if (!read_mirror(&bytes)) fail(DATA_ERROR, "%s is no mirror, or its beginning is damaged", mirror.path);
    free_buffer(&bytes);
}

// ------------------------------------------------------------------------------------------------ what is printed

// A text without anything that a terminal could take for a command; in JSON that is written as an escape.
static void add_safe(struct buffer *to, const char *text, bool is_json) {
    const uint8_t *at = (const uint8_t *)text, *end = at + strlen(text), *begin;
    while (begin = at, at < end) {
        int32_t one = next_scalar(&at, end);
        bool is_harmful = one < 0x20 || (one >= 0x7f && one < 0xa0) || one == 0x61c || one == 0x200e || one == 0x200f ||
                          (one >= 0x2028 && one <= 0x202e) || (one >= 0x2066 && one <= 0x2069) || one == 0xfeff;
        if (is_harmful) {
            if (is_json) add_format(to, "\\u%04x", one < 0 ? 0xfffd : (unsigned)one);
            else add_text(to, "\xef\xbf\xbd");
        } else {
            if (is_json && (one == '"' || one == '\\')) add_text(to, "\\");
            add_bytes(to, begin, (size_t)(at - begin));
        }
    }
}

static void add_string(struct buffer *to, const char *text) {
    add_text(to, "\"");
    add_safe(to, text, true);
    add_text(to, "\"");
}

static void add_message(struct buffer *to, const ProtobufCMessage *message);

static void add_value(struct buffer *to, const ProtobufCFieldDescriptor *field, const void *value) {
    switch (field->type) {
    case PROTOBUF_C_TYPE_MESSAGE: return add_message(to, *(ProtobufCMessage *const *)value);
    case PROTOBUF_C_TYPE_STRING: return add_string(to, *(char *const *)value);
    case PROTOBUF_C_TYPE_BOOL: return add_text(to, *(const protobuf_c_boolean *)value ? "true" : "false");
    case PROTOBUF_C_TYPE_UINT32: return add_format(to, "%" PRIu32, *(const uint32_t *)value);
    case PROTOBUF_C_TYPE_UINT64: case PROTOBUF_C_TYPE_FIXED64:
        return add_format(to, "\"%" PRIu64 "\"", *(const uint64_t *)value);
    case PROTOBUF_C_TYPE_DOUBLE:
        return add_format(to, isfinite(*(const double *)value) ? "%.17g" : "\"%g\"", *(const double *)value);
    case PROTOBUF_C_TYPE_BYTES:
        add_text(to, "\"");
        add_hex(to, ((const ProtobufCBinaryData *)value)->data, ((const ProtobufCBinaryData *)value)->len);
        return add_text(to, "\"");
    default: return add_text(to, "null");
    }
}

static size_t width_of(ProtobufCType type) {
    switch (type) {
    case PROTOBUF_C_TYPE_BOOL: return sizeof(protobuf_c_boolean);
    case PROTOBUF_C_TYPE_UINT32: return sizeof(uint32_t);
    case PROTOBUF_C_TYPE_BYTES: return sizeof(ProtobufCBinaryData);
    default: return 8;
    }
}

// Any message as a JSON object of the fields that it has, by their names in the schema; 64 bits are text.
static void add_message(struct buffer *to, const ProtobufCMessage *message) {
    const uint8_t *base = (const uint8_t *)message;
    const char *separator = "{";
    for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
        const void *value = base + field->offset, *quantifier = base + field->quantifier_offset;
        bool is_repeated = field->label == PROTOBUF_C_LABEL_REPEATED;
        bool is_pointer = field->type == PROTOBUF_C_TYPE_MESSAGE || field->type == PROTOBUF_C_TYPE_STRING;
        size_t count = is_repeated ? *(const size_t *)quantifier
                       : is_pointer ? *(void *const *)value != NULL : *(const protobuf_c_boolean *)quantifier != 0;
        if (count == 0) continue;
        add_format(to, "%s\"%s\":%s", separator, field->name, is_repeated ? "[" : "");
        separator = ",";
        if (is_repeated) value = *(const uint8_t *const *)value;
        for (size_t j = 0; j < count; j++) {
            if (j > 0) add_text(to, ",");
            add_value(to, field, (const uint8_t *)value + j * width_of(field->type));
        }
        if (is_repeated) add_text(to, "]");
    }
    add_text(to, *separator == '{' ? "{}" : "}");
}

// Writes a line whole, unless a signal ends the program: a pipe that can be written to takes PIPE_BUF bytes without
// blocking. A reader that has seen enough is no error.
static void print(struct buffer *line) {
    add_text(line, "\n");
    for (size_t done = 0; done < line->count && !stop_signal;) {
        struct pollfd polls[2] = {{STDOUT_FILENO, POLLOUT, 0}, {wake_pipe[0], POLLIN, 0}};
        if (poll(polls, 2, -1) < 0 || polls[0].revents == 0) continue;
        ssize_t count = write(STDOUT_FILENO, line->bytes + done, smaller(line->count - done, PIPE_BUF));
        if (count >= 0) {
            done += (size_t)count;
        } else if (errno != EINTR && errno != EAGAIN) {
            if (errno == EPIPE) exit(DONE);
            fail(IO_ERROR, "writing failed: %s", strerror(errno));
        }
    }
    free_buffer(line);
}

// {"type":…,"screen":…, and two more texts, the second of which may be absent.
static void print_event(const char *type, const char *screen, const char *key, const char *value, const char *reason) {
    struct buffer line = {0};
    if (options.is_ndjson) {
        add_format(&line, "{\"type\":\"%s\"", type);
        if (screen != NULL) add_string((add_text(&line, ",\"screen\":"), &line), screen);
        add_format(&line, ",\"%s\":", key);
        add_string(&line, value);
        if (reason != NULL && *reason) add_string((add_text(&line, ",\"reason\":"), &line), reason);
        add_text(&line, "}");
        print(&line);
    } else {
        add_safe(&line, value, false);
        if (reason != NULL && *reason) {
            add_text(&line, ": ");
            add_safe(&line, reason, false);
        }
        add_text(&line, "\n");
        fwrite(line.bytes, 1, line.count, stderr);
        free_buffer(&line);
    }
}

static void *body_message(const ProtobufCMessageDescriptor *type, const uint8_t *bytes, size_t size) {
    void *message = NULL;
    return decode(type, bytes, size, BODY_ELEMENTS, &message) == NULL ? message : NULL;
}

static const ProtobufCMessageDescriptor *type_of_kind(uint32_t kind) {
    return kind == ITEM_CARD     ? &marquee__v1__card_body__descriptor
           : kind == ITEM_MEMBER ? &marquee__v1__member_body__descriptor
           : kind == ITEM_OTHER  ? &marquee__v1__other_body__descriptor
                                 : NULL;
}

// A body that can't be decoded is shown as one of an unknown kind (3).
static void add_item(struct buffer *to, const struct item *item, uint32_t place) {
    const ProtobufCMessageDescriptor *type = type_of_kind(item->kind);
    ProtobufCMessage *body = type ? body_message(type, body_of(item), item->body_size) : NULL;
    if (options.is_ndjson) {
        add_string((add_text(to, "{\"id\":"), to), id_of(item));
        add_format(to, ",\"kind\":%" PRIu32 ",\"subject\":", item->kind);
        add_string(to, subject_of(item));
        add_text(to, body != NULL ? ",\"content\":" : ",\"bytes\":\"");
        if (body != NULL) add_message(to, body);
        else add_hex(to, body_of(item), item->body_size);
        add_text(to, body != NULL ? "}" : "\"}");
    } else {
        const Marquee__V1__CardBody *card = body && item->kind == ITEM_CARD ? (const void *)body : NULL;
        add_format(to, "    %3" PRIu32 "  ", place);
        add_safe(to, card && card->title ? card->title : id_of(item), false);
        if (card && card->subtitle && *card->subtitle) add_safe((add_text(to, " — "), to), card->subtitle, false);
        if (card == NULL) add_format(to, " (kind %" PRIu32 ")", item->kind);
        add_text(to, "\n");
    }
    release(body);
}

static void add_section(struct buffer *to, const struct section *section) {
    const struct version *version = section->version;
    Marquee__V1__SectionHead *head =
        body_message(&marquee__v1__section_head__descriptor, version->head, version->head_size);
    const char *title = head && head->header && head->header->title ? head->header->title : "";
    if (options.is_ndjson) {
        add_string((add_text(to, "{\"id\":"), to), section->id);
        add_format(to, ",\"kind\":%" PRIu32 ",\"title\":", head ? head->kind : 0);
        add_string(to, title);
        add_format(to, ",\"sum\":\"%016" PRIx64 "\",\"items\":[", version->sum);
    } else {
        add_safe((add_text(to, "  "), to), section->id, false);
        if (*title) add_safe((add_text(to, " · "), to), title, false);
        add_format(to, " · %" PRIu32 " item%s\n", version->count, version->count == 1 ? "" : "s");
    }
    for (uint32_t i = 0; i < version->count; i++) {
        if (i > 0 && options.is_ndjson) add_text(to, ",");
        add_item(to, version->items[i], i + 1);
    }
    if (options.is_ndjson) add_text(to, "]}");
    release(head);
}

// The sum of the whole screen (7).
static uint64_t screen_sum(struct view *view) {
    const struct version *list = view->sections[0].version;
    uint64_t *sums = resized(NULL, list->count * sizeof *sums);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct section *section = section_of(view, id_of(list->items[i]));
        sums[i] = section != NULL ? section->version->sum : 0;
    }
    uint64_t sum = sum_of(list, sums);
    free(sums);
    return sum;
}

// Prints a screen: for programs whole, for people what has changed. The order is that of the view's own list.
static void show(struct view *view) {
    if (view->count == 0) return;
    const struct version *list = view->sections[0].version;
    struct buffer line = {0};
    Marquee__V1__ViewHead *head = body_message(&marquee__v1__view_head__descriptor, list->head, list->head_size);
    const char *title = head && head->title ? head->title : "", *origin = view->is_joined ? "live" : "store";
    uint64_t revision = view->cut.revisions[CATALOGUE], sum = screen_sum(view);
    if (options.is_ndjson) {
        add_string((add_text(&line, "{\"type\":\"snapshot\",\"screen\":"), &line), view->screen);
        add_format(&line, ",\"revision\":%" PRIu64 ",\"sum\":\"%016" PRIx64 "\",\"origin\":\"%s\"", revision, sum,
                   origin);
        add_string((add_text(&line, ",\"locale\":"), &line), view->locale);
        add_string((add_text(&line, ",\"title\":"), &line), title);
        add_text(&line, ",\"sections\":[");
    } else {
        add_safe(&line, view->screen, false);
        if (*title) add_safe((add_text(&line, " · "), &line), title, false);
        add_format(&line, " · revision %" PRIu64 " · %s · %016" PRIx64 "\n", revision, origin, sum);
    }
    bool is_first = true;
    for (uint32_t i = 0; i < list->count; i++) {
        struct section *section = section_of(view, id_of(list->items[i]));
        if (section == NULL || !(options.is_ndjson || section->is_changed)) continue;
        if (!is_first && options.is_ndjson) add_text(&line, ",");
        add_section(&line, section);
        is_first = false;
    }
    for (size_t i = 0; i < view->count; i++) view->sections[i].is_changed = false;
    if (options.is_ndjson) add_text(&line, "]}");
    print(&line);
    release(head);
    if (view->is_joined && options.count > 0) options.count--;
}

// ------------------------------------------------------------------------------------------------ the session

struct staged { uint64_t handle; struct version *version; size_t bytes; };
struct described { uint32_t subscription; uint64_t handle; char *section; struct version *version; };
struct manifest { uint64_t handle; struct version *version; uint32_t next; };

// What exists only while there is a connection.
static struct {
    int fd;  // -1: none
    bool is_open, is_welcome, is_in_cut, has_pinged, waits_for_repair;
    struct buffer in, out, cut;
    uint64_t frame_bytes, part_bytes, elements, credit, taken, acknowledged;  // the first three are the server's limits
    struct cut position;
    int64_t began, heard, pinged, frame_began, interval, ping_minimum;
    uint32_t last_subscription, nack_number;
    unsigned nacks_in_a_row;
    struct patch staging;
    struct staged staged[STAGED_VERSIONS];  // the oldest first
    struct described described[SCREENS * (SECTIONS + 1)];
    struct manifest manifests[STAGED_VERSIONS];
    size_t staged_count, staged_bytes, described_count, manifests_count, cut_bytes;
} session = {.fd = -1};

// What decides when and how to connect again.
static struct {
    unsigned attempts, setbacks;  // since a cut was stored
    unsigned behind;              // nodes in a row
    int64_t next, behind_since;
    bool trusts_proven, was_other;  // see 5
    char *refused_screen, *refused_section;
} retry;

static void disconnect(int64_t pause, const char *why);

static void drop_staged(size_t index) {
    session.staged_bytes -= session.staged[index].bytes;
    drop_version(session.staged[index].version);
    session.staged_count--;
    memmove(&session.staged[index], &session.staged[index + 1],
            (session.staged_count - index) * sizeof *session.staged);
}

static struct staged *staged_for(uint64_t handle) {
    for (size_t i = 0; i < session.staged_count; i++) {
        if (session.staged[i].handle == handle) return &session.staged[i];
    }
    return NULL;
}

static void forget_staged(uint64_t handle) {
    struct staged *found = staged_for(handle);
    if (found != NULL) drop_staged((size_t)(found - session.staged));
}

// Forgets what was described of a subscription, or of all (0).
static void forget_described(uint32_t subscription) {
    size_t kept = 0;
    for (size_t i = 0; i < session.described_count; i++) {
        struct described one = session.described[i];
        if (subscription != 0 && one.subscription != subscription) {
            session.described[kept++] = one;
        } else {
            drop_version(one.version);
            free(one.section);
        }
    }
    session.described_count = kept;
}

static void say(uint16_t kind, const void *message) { add_frame(&session.out, kind, message); }

// The reasons that this client closes with; others have code 3 and remedy 5 (21).
static const struct { const char *reason; uint32_t code, remedy; } REASONS[] = {
    {"FRAME_DAMAGED", 15, RETRY_SAME}, {"FRAME_TOO_SHORT", 3, RETRY_SAME}, {"FRAME_TOO_LONG", 8, RETRY_SAME},
    {"CUT_ORDER", 9, RETRY_SAME}, {"CUT_TOO_LARGE", 8, RETRY_SAME}, {"CUT_REFUSED", 15, RESYNC},
    {"NODE_BEHIND", 14, RETRY_OTHER}, {"FRAME_UNFINISHED", 4, RETRY_SAME}, {"WRONG_DIRECTION", 9, FATAL},
    {"UNKNOWN_CRITICAL_KIND", 12, FATAL}, {"OUT_OF_RANGE", 11, FATAL}, {"TOO_DEEP", 8, FATAL},
    {"TOO_MANY_ELEMENTS", 8, FATAL}, {"TOO_MANY_RECORDS", 8, FATAL}, {"TOO_MANY_UNKNOWN_FIELDS", 8, FATAL},
    {"ARENA_EXHAUSTED", 8, FATAL}, {"PROTOCOL_UNSUPPORTED", 9, FATAL}, {"OTHER_CLUSTER", 9, FATAL},
};

static Marquee__V1__Status status_of(const char *reason) {
    Marquee__V1__Status status = MARQUEE__V1__STATUS__INIT;
    status.reason = (char *)reason;
    SET(&status, code, 3);
    SET(&status, remedy, FATAL);
    for (size_t i = 0; i < sizeof REASONS / sizeof *REASONS; i++) {
        if (strcmp(REASONS[i].reason, reason) != 0) continue;
        status.code = REASONS[i].code;
        status.remedy = REASONS[i].remedy;
    }
    return status;
}

// A random pause that grows with the attempts.
static int64_t pause_after(unsigned attempts) {
    return between(0, (int64_t)smaller(PAUSE_LONGEST_MS, (uint64_t)PAUSE_FIRST_MS << smaller(attempts, 10)));
}

// Closes with a reason, and waits a moment until the server has read it: closing a socket with unread bytes would
// reset the connection.
static void close_with(const char *reason) {
    Marquee__V1__Close message = MARQUEE__V1__CLOSE__INIT;
    Marquee__V1__Status status = status_of(reason);
    message.status = &status;
    say(CLOSE, &message);
    uint8_t ignored[4096];
    for (int64_t end = now_ms() + LINGER_MS; now_ms() < end && !stop_signal;) {
        struct pollfd poll_of = {session.fd, POLLIN | (session.out.count ? POLLOUT : 0), 0};
        if (poll(&poll_of, 1, (int)larger(1, (uint64_t)(end - now_ms()))) <= 0) break;
        if (session.out.count && (poll_of.revents & (POLLOUT | POLLERR | POLLHUP))) {
            ssize_t count = send(session.fd, session.out.bytes, session.out.count, MSG_NOSIGNAL);
            if (count < 0) break;
            drop_front(&session.out, (size_t)count);
            if (session.out.count == 0) shutdown(session.fd, SHUT_WR);
        }
        if ((poll_of.revents & (POLLIN | POLLHUP)) && recv(session.fd, ignored, sizeof ignored, 0) <= 0) break;
    }
    disconnect(pause_after(retry.attempts), reason);
}

static int exit_of(const Marquee__V1__Status *status) {
    const char *reason = status->reason ? status->reason : "";
    if (strcmp(reason, "OTHER_CLUSTER") == 0) return CANT_CREATE;
    if (strcmp(reason, "UNKNOWN_SECTION") == 0 || strcmp(reason, "UNKNOWN_SORT") == 0) return USAGE;
    switch (status->has_code ? status->code : 2) {
    case 7: case 16: return NO_PERMISSION;
    case 14: return UNAVAILABLE;
    case 4: case 8: case 10: return AGAIN_LATER;
    default: return PROTOCOL_ERROR;
    }
}

static _Noreturn void end_because(const Marquee__V1__Status *status) {
    store(true);
    struct buffer text = {0};
    add_safe(&text, status->message && *status->message ? status->message : "the server refused", false);
    if (status->reason != NULL) add_safe((add_text(&text, ": "), &text), status->reason, false);
    add_bytes(&text, "", 1);
    fail(exit_of(status), "%s", (const char *)text.bytes);
}

static int64_t pause_asked(const Marquee__V1__Status *status, unsigned attempts) {
    return (int64_t)larger((uint64_t)pause_after(attempts), smaller(status->retry_after_ms, PAUSE_ASKED_MS));
}

// A node that doesn't know a claimed position may be behind; if none ever does, the claim was wrong (5).
static void found_behind(void) {
    bool is_claim = false;
    for (int log = 0; log < LOGS; log++) {
        for (size_t i = 0; i < mirror.seen_count[log]; i++) {
            is_claim = is_claim || mirror.seen[log][i].claimed > mirror.seen[log][i].proven;
        }
    }
    if (retry.behind++ == 0) retry.behind_since = now_ms();
    retry.trusts_proven = is_claim && retry.behind >= BEHIND_ATTEMPTS && now_ms() - retry.behind_since >= BEHIND_MS;
}

// What was offered came to nothing: less is offered next time (13). First the refused section is left out, then its
// view, then everything.
static void set_back(void) {
    struct view *view = retry.refused_screen ? view_named(retry.refused_screen) : NULL;
    struct section *section = view && retry.refused_section ? section_of(view, retry.refused_section) : NULL;
    retry.setbacks++;
    if (retry.setbacks == 1 && section != NULL) {
        section->is_withheld = true;
    } else if (retry.setbacks == 2 && view != NULL) {
        view->is_withheld = true;
    } else if (retry.setbacks > 1) {
        for (size_t i = 0; i < mirror.count; i++) mirror.views[i].is_withheld = true;
    }
}

static void take_close(const Marquee__V1__Status *status) {
    const char *reason = status->reason ? status->reason : "closed";
    if (strcmp(reason, "NODE_BEHIND") == 0) found_behind();
    switch (status->remedy) {
    case RESYNC: set_back();  // fallthrough
    case RETRY_SAME: case RETRY_OTHER: return disconnect(pause_asked(status, retry.attempts), reason);
    default: end_because(status);
    }
}

// ---- subscribing (9, 13)

static void subscribe(struct view *view) {
    struct offer offer;
    view->subscription = ++session.last_subscription;
    offer_of(&offer, view, *options.locale ? (char *)options.locale : NULL, false);
    // What there is no room for comes anew.
    offer.resume.n_sections = smaller(offer.resume.n_sections, session.elements);
    while (protobuf_c_message_get_packed_size(&offer.message.base) + 8 > session.frame_bytes &&
           offer.resume.n_sections > 0) offer.resume.n_sections--;
    say(SUBSCRIBE, &offer.message);
}

static struct view *view_of(uint32_t subscription) {
    for (size_t i = 0; i < mirror.count && subscription != 0; i++) {
        if (mirror.views[i].subscription == subscription) return &mirror.views[i];
    }
    return NULL;
}

// The content stays, the handles don't.
static void leave_view(struct view *view) {
    view->is_joined = false;
    view->subscription = 0;
    for (size_t i = 0; i < view->count; i++) view->sections[i].handle = 0;
}

static void take_subscription_error(const Marquee__V1__SubscriptionError *error) {
    struct view *view = view_of(error->subscription);
    const Marquee__V1__Status *status = error->status;
    if (view == NULL) return;
    const char *message = status->message && *status->message ? status->message : "refused";
    print_event("error", view->screen, "message", message, status->reason);
    // A section that failed is repaired by a later join. No generation above 0 was asked for.
    if ((error->section != NULL && *error->section) || (view->is_joined && error->generation > 0)) return;
    forget_described(view->subscription);
    leave_view(view);
    switch (status->remedy) {
    case RESYNC: view->is_withheld = true;  // fallthrough
    case RETRY_SAME: case RETRY_OTHER: view->retry_at = now_ms() + pause_asked(status, view->attempts++); return;
    default: view->is_ended = true;
    }
    // It is gone, or this client may not see it.
    free_sections(view->sections, view->count);
    view->sections = NULL;
    view->count = 0;
    for (size_t i = 0; i < mirror.count; i++) {
        if (mirror.views[i].is_wanted && !mirror.views[i].is_ended) return;
    }
    end_because(status);
}

// ---- positions (5, 12)

static const char *take_welcome(const Marquee__V1__Welcome *welcome) {
    const Marquee__V1__Limits *limits = welcome->limits;
    const char *user = welcome->user ? welcome->user : "";
    uint64_t epochs[LOGS] = {welcome->cut->catalogue_epoch, welcome->cut->user_epoch};
    uint64_t revisions[LOGS] = {welcome->cut->catalogue_revision, welcome->cut->user_revision};
    if (welcome->protocol != 1) return "PROTOCOL_UNSUPPORTED";
    if (mirror.cluster != NULL && (strcmp(mirror.cluster, welcome->cluster) || strcmp(mirror.user, user))) {
        // The first time it is taken for damage, the second time it is believed.
        if (retry.was_other) fail(CANT_CREATE, "the server has other data, or another user, than this mirror");
        retry.was_other = true;
        return "OTHER_CLUSTER";
    }
    retry.was_other = false;
    for (int log = 0; log < LOGS; log++) {
        for (size_t i = 0; i < mirror.seen_count[log]; i++) {
            struct seen *seen = &mirror.seen[log][i];
            if (seen->epoch != epochs[log]) continue;
            if (revisions[log] < (retry.trusts_proven ? seen->proven : seen->claimed)) {
                found_behind();
                return "NODE_BEHIND";
            }
            if (retry.trusts_proven) seen->claimed = seen->proven;
        }
    }
    retry.behind = 0;
    retry.trusts_proven = false;
    if (mirror.cluster == NULL) {
        mirror.cluster = copy_of(welcome->cluster);
        mirror.user = copy_of(user);
    }
    for (int log = 0; log < LOGS; log++) {
        session.position.epochs[log] = epochs[log];
        session.position.revisions[log] = revisions[log];
        note_seen(log, epochs[log], revisions[log], false);
    }
    mirror.is_durable = false;
    session.is_welcome = true;
    session.frame_bytes = limits->has_frame_bytes ? limits->frame_bytes : FRAME_BYTES;
    session.part_bytes = smaller(session.frame_bytes, limits->has_part_bytes ? limits->part_bytes : PART_BYTES);
    session.elements = limits->has_elements_per_frame ? limits->elements_per_frame : ELEMENTS;
    session.credit = limits->has_credit_bytes ? smaller(limits->credit_bytes, CREDIT) : CREDIT;
    session.ping_minimum = welcome->has_ping_minimum_ms ? welcome->ping_minimum_ms : 5000;
    session.interval = welcome->ping_interval_ms ? welcome->ping_interval_ms : 20000;
    session.interval = (int64_t)larger((uint64_t)session.interval, INTERVAL_LEAST_MS);
    store(false);
    print_event("state", NULL, "state", "connected", NULL);
    return NULL;  // keep_time() subscribes
}

static bool names_other_epoch(const Marquee__V1__Cut *cut) {
    return cut != NULL &&
           ((cut->has_catalogue_epoch && cut->catalogue_epoch != session.position.epochs[CATALOGUE]) ||
            (cut->has_user_epoch && cut->user_epoch != session.position.epochs[USER]));
}

static void advance(struct cut *position, const Marquee__V1__Cut *cut) {
    if (cut == NULL) return;
    position->revisions[CATALOGUE] = larger(position->revisions[CATALOGUE], cut->catalogue_revision);
    position->revisions[USER] = larger(position->revisions[USER], cut->user_revision);
}

// Takes over a position: live views are at it, and the mirror has seen it.
static void move_to(const struct cut *position, const struct cut *proven) {
    session.position = *position;
    mirror.is_durable = false;
    for (int log = 0; log < LOGS; log++) {
        note_seen(log, position->epochs[log], position->revisions[log], false);
        if (proven != NULL) note_seen(log, position->epochs[log], proven->revisions[log], true);
    }
    for (size_t i = 0; i < mirror.count; i++) {
        if (mirror.views[i].is_joined) mirror.views[i].cut = *position;
    }
}

static void acknowledge(void) {
    Marquee__V1__Ack ack = MARQUEE__V1__ACK__INIT;
    Marquee__V1__Cut cut;
    SET(&ack, bytes, session.acknowledged = session.taken);
    // What a power cut would leave. Without a file that is what has been applied.
    const struct cut *durable = mirror.path == NULL ? &session.position : &mirror.durable;
    bool is_ours = memcmp(durable->epochs, session.position.epochs, sizeof durable->epochs) == 0;
    if (is_ours && (mirror.path == NULL || mirror.has_durable)) ack.cut = cut_message(&cut, durable);
    say(ACK, &ack);
}

static const char *take_progress(const Marquee__V1__Progress *progress) {
    if (session.is_in_cut || names_other_epoch(progress->cut)) return "CUT_ORDER";
    if (!session.waits_for_repair) {
        struct cut position = session.position;
        advance(&position, progress->cut);
        if (memcmp(&position, &session.position, sizeof position) != 0) move_to(&position, NULL);
        store(true);
        if (mirror.is_durable) {
            mirror.durable = position;
            mirror.has_durable = true;
        }
        if (options.is_ndjson) {
            struct buffer line = {0};
            add_format(&line, "{\"type\":\"progress\",\"revision\":%" PRIu64 "}", position.revisions[CATALOGUE]);
            print(&line);
        }
    }
    acknowledge();
    return NULL;
}

// ---- staged parts (10)

static struct version *described_for(uint64_t handle, uint64_t sum) {
    for (size_t i = 0; i < session.described_count; i++) {
        const struct described *one = &session.described[i];
        if (one->handle == handle && one->version->sum == sum) return one->version;
    }
    return NULL;
}

static const char *take_stage(const Marquee__V1__Part *part, size_t bytes, bool is_first) {
    struct patch *patch = &session.staging;
    struct version *version = NULL;
    if (is_first) free_patch(patch);
    if (!is_first && !patch->is_open) return NULL;  // the rest of what was given up
    // A wrong one is dropped: the join that names it will miss it.
    if (add_part(patch, part) != NULL) {
        free_patch(patch);
    } else {
        patch->bytes += bytes;
        if (patch->is_complete) {
            forget_staged(patch->handle);
            if (apply_patch(patch, described_for(patch->handle, patch->base), &version) == NULL) {
                if (session.staged_count == STAGED_VERSIONS) drop_staged(0);
                session.staged[session.staged_count++] = (struct staged){patch->handle, version, patch->bytes};
                session.staged_bytes += patch->bytes;
            }
            free_patch(patch);
        }
    }
    while (session.staged_count > 0 && session.staged_bytes + patch->bytes > CUT_BYTES) drop_staged(0);
    if (patch->bytes > CUT_BYTES) return "CUT_TOO_LARGE";
    return held_bytes > HELD_BYTES ? "ARENA_EXHAUSTED" : NULL;
}

// ---- rebase and manifest (15)

static const char *take_rebase(const Marquee__V1__Rebase *rebase) {
    struct view *view = view_of(rebase->subscription);
    for (size_t i = 0; i < rebase->n_sections; i++) {
        const char *id = rebase->sections[i]->section ? rebase->sections[i]->section : "";
        uint64_t handle = rebase->sections[i]->handle;
        struct section *section = view ? section_of(view, id) : NULL;
        if (session.manifests_count == STAGED_VERSIONS) return "OUT_OF_RANGE";
        struct version *version = keep_version(section ? section->version : empty);
        session.manifests[session.manifests_count++] = (struct manifest){handle, version, 0};
        if (section == NULL) continue;
        // The staged answer starts from it, whatever is shown by then.
        struct described *one = session.described;
        while (one < session.described + session.described_count &&
               (one->subscription != view->subscription || strcmp(one->section, id) != 0)) one++;
        if (one == session.described + SCREENS * (SECTIONS + 1)) return "OUT_OF_RANGE";
        if (one == session.described + session.described_count) {
            session.described_count++;
        } else {
            drop_version(one->version);
            free(one->section);
        }
        *one = (struct described){view->subscription, handle, copy_of(id), keep_version(version)};
    }
    return NULL;
}

// Makes the next manifests, while few bytes wait.
static void say_manifests(void) {
    size_t done = 0;
    for (; done < session.manifests_count && session.out.count < MANIFEST_AHEAD;) {
        struct manifest *one = &session.manifests[done];
        const struct version *version = one->version;
        uint32_t count = (uint32_t)smaller(version->count - one->next, (session.part_bytes - 128) / 16);
        uint8_t *pairs = resized(NULL, 16 * (size_t)count);
        for (uint32_t i = 0; i < count; i++) {
            const struct item *item = version->items[one->next + i];
            put_little(pairs + 16 * (size_t)i, xxh64(id_of(item), item->id_size), 8);
            put_little(pairs + 16 * (size_t)i + 8, item->body_hash, 8);
        }
        one->next += count;
        Marquee__V1__Manifest message = MARQUEE__V1__MANIFEST__INIT;
        SET(&message, handle, one->handle);
        SET(&message, sum, version->sum);
        SET(&message, head_hash, version->head_hash);
        SET(&message, more, one->next < version->count);
        message.has_pairs = count > 0;
        message.pairs = (ProtobufCBinaryData){16 * (size_t)count, pairs};
        say(MANIFEST, &message);
        free(pairs);
        if (one->next < version->count) continue;
        drop_version(one->version);
        done++;
    }
    session.manifests_count -= done;
    memmove(session.manifests, session.manifests + done, session.manifests_count * sizeof *session.manifests);
}

// ---- cuts (11) and refusals (14)

// A view as the cut would leave it, and where its handles are.
struct draft {
    struct view *view;
    struct section *sections;
    size_t count;
    char *locale;
    bool is_joined, is_touched;
};

struct place {
    uint64_t handle;
    struct draft *draft;
    struct section *section;
    bool is_patched;
};

struct step {
    struct draft drafts[SCREENS];
    struct place *places;
    size_t drafts_count, places_count;
    uint64_t failed[SCREENS * (SECTIONS + 1)];  // handles
    size_t failed_count;
    const char *why;
    char text[160];
};

static bool has_failed(const struct step *step, uint64_t handle) {
    for (size_t i = 0; i < step->failed_count; i++) {
        if (step->failed[i] == handle) return true;
    }
    return false;
}

static void refuse(
    struct step *step, const struct draft *draft, const char *section, uint64_t handle, const char *why) {
    if (step->failed_count == 0) {
        step->why = why;
        snprintf(step->text, sizeof step->text, "handle %" PRIu64 ", '%.40s' of %.40s: %s", handle, section,
                 draft->view->screen, why);
        free(retry.refused_screen);
        free(retry.refused_section);
        retry.refused_screen = copy_of(draft->view->screen);
        retry.refused_section = copy_of(section);
    }
    if (has_failed(step, handle) || step->failed_count == sizeof step->failed / sizeof *step->failed) return;
    step->failed[step->failed_count++] = handle;
}

// The frames of the cut lie behind each other: kind, size, body. False at the end.
static bool next_frame(size_t *at, uint16_t *kind, const uint8_t **body, size_t *size) {
    if (*at == session.cut.count) return false;
    const uint8_t *row = session.cut.bytes + *at;
    *kind = (uint16_t)get_little(row, 2);
    *size = get_little(row + 2, 4);
    *body = row + 6;
    *at += 6 + *size;
    return true;
}

// Binds one section of a join: to what is held of it, to what was staged, or to the empty version.
static void bind_section(struct step *step, struct draft *draft, const char *id, uint64_t handle, const uint64_t *sum) {
    struct section *held = section_of(draft->view, id);
    struct staged *staged = staged_for(handle);
    struct version *version = empty;
    if (sum == NULL) {
        if (held != NULL) version = held->version;
    } else if (held != NULL && held->version->sum == *sum) {
        version = held->version;
    } else if (staged != NULL && staged->version->sum == *sum) {
        version = staged->version;
    } else if (*sum != empty->sum) {
        refuse(step, draft, id, handle, "a version that is not held");
    }
    bool is_changed = held == NULL || held->is_changed || held->version->sum != version->sum;
    draft->sections[draft->count++] =
        (struct section){copy_of(id), handle, keep_version(version), false, is_changed};
}

static void join(struct step *step, const Marquee__V1__Join *join) {
    struct draft *draft = step->drafts;
    while (draft < step->drafts + step->drafts_count && draft->view->subscription != join->subscription) draft++;
    if (draft == step->drafts + step->drafts_count) return;  // It has ended here.
    free_sections(draft->sections, draft->count);
    free(draft->locale);
    draft->count = 0;
    draft->sections = resized(NULL, (smaller(join->n_sections, SECTIONS) + 1) * sizeof *draft->sections);
    draft->locale = copy_of(join->locale);
    draft->is_joined = draft->is_touched = true;
    bind_section(step, draft, "", join->view_handle, &join->view_sum);
    if (join->generation > 0 || join->n_sections > SECTIONS) {
        return refuse(step, draft, "", join->view_handle, "a join that was not asked for, or of too many sections");
    }
    for (size_t i = 0; i < join->n_sections; i++) {
        const Marquee__V1__Binding *one = join->sections[i];
        bind_section(step, draft, one->section, one->handle, one->has_sum ? &one->sum : NULL);
    }
}

static int compare_places(const void *a, const void *b) {
    uint64_t left = ((const struct place *)a)->handle, right = ((const struct place *)b)->handle;
    return left < right ? -1 : left > right;
}

static struct place *place_of(const struct step *step, uint64_t handle) {
    struct place key = {handle, NULL, NULL, false};
    return bsearch(&key, step->places, step->places_count, sizeof key, compare_places);
}

static void find_places(struct step *step) {
    size_t count = 0;
    for (size_t i = 0; i < step->drafts_count; i++) count += step->drafts[i].count;
    step->places = resized(NULL, count * sizeof *step->places);
    for (struct draft *draft = step->drafts; draft < step->drafts + step->drafts_count; draft++) {
        for (size_t i = 0; i < draft->count; i++) {
            if (draft->sections[i].handle == 0) continue;
            step->places[step->places_count++] =
                (struct place){draft->sections[i].handle, draft, &draft->sections[i], false};
        }
    }
    qsort(step->places, step->places_count, sizeof *step->places, compare_places);
    for (size_t i = 1; i < step->places_count; i++) {
        const struct place *place = &step->places[i];
        if (place->handle == place[-1].handle) {
            refuse(step, place->draft, place->section->id, place->handle, "a handle that is bound twice");
        }
    }
}

// Applies the cut's patches to the drafts.
static void patch_drafts(struct step *step) {
    struct patch patch = {0};
    size_t at = 0, size;
    uint16_t kind;
    const uint8_t *body;
    struct place *open = NULL;
    while (next_frame(&at, &kind, &body, &size)) {
        if (kind != DATA) continue;
        Marquee__V1__Part *part = unpack(&marquee__v1__part__descriptor, body, size);
        if (part == NULL) fail(IO_ERROR, "no memory for a part");
        struct place *place = place_of(step, part->handle);
        const char *why = NULL;
        if (open != NULL && open != place) {
            refuse(step, open->draft, open->section->id, open->handle, "mixedParts");
            free_patch(&patch);
            open = NULL;
        }
        if (place != NULL && !has_failed(step, place->handle)) {
            why = place->is_patched ? "a second patch" : add_part(&patch, part);
            open = place;
            if (why == NULL && patch.is_complete) {
                struct version *version = NULL;
                why = apply_patch(&patch, place->section->version, &version);
                if (why == NULL) {
                    place->section->is_changed = true;
                    drop_version(place->section->version);
                    place->section->version = version;
                }
                place->is_patched = place->draft->is_touched = true;
                free_patch(&patch);
                open = NULL;
            }
            if (why != NULL) {
                refuse(step, place->draft, place->section->id, place->handle, why);
                free_patch(&patch);
                open = NULL;
            }
        }
        release(part);
    }
    if (open != NULL) refuse(step, open->draft, open->section->id, open->handle, "a patch that is not complete");
    free_patch(&patch);
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// The ids in a view's own list and the bound sections have to be the same set.
static bool sections_match(const struct draft *draft) {
    const struct version *list = draft->sections[0].version;
    const char *listed[SECTIONS], *bound[SECTIONS];
    if (list->count != draft->count - 1) return false;
    for (uint32_t i = 0; i < list->count; i++) {
        listed[i] = id_of(list->items[i]);
        bound[i] = draft->sections[i + 1].id;
    }
    qsort(listed, list->count, sizeof *listed, compare_texts);
    qsort(bound, list->count, sizeof *bound, compare_texts);
    for (uint32_t i = 0; i < list->count; i++) {
        if (strcmp(listed[i], bound[i]) != 0) return false;
    }
    return true;
}

static void add_held(
    Marquee__V1__HeldVersion *rows, size_t *count, uint64_t handle, const struct version *version, bool is_refused) {
    for (size_t i = 0; i < *count; i++) {
        if (rows[i].handle == handle) return;
    }
    Marquee__V1__HeldVersion *row = &rows[(*count)++];
    *row = (Marquee__V1__HeldVersion)MARQUEE__V1__HELD_VERSION__INIT;
    SET(row, handle, handle);
    if (version != NULL) SET(row, sum, version->sum);
    if (is_refused) SET(row, refused, true);
}

// Says what is held, after a refused cut. Then everything waits for the repair.
static const char *say_nack(const struct step *step) {
    if (++session.nacks_in_a_row > NACKS) {
        set_back();
        return "CUT_REFUSED";
    }
    free_patch(&session.staging);
    for (size_t i = 0; i < step->failed_count; i++) forget_staged(step->failed[i]);
    enum { ROWS = 3 * SCREENS * (SECTIONS + 1) };
    Marquee__V1__HeldVersion *rows = resized(NULL, (ROWS + STAGED_VERSIONS) * sizeof *rows);
    Marquee__V1__HeldVersion **pointers = resized(NULL, (ROWS + STAGED_VERSIONS) * sizeof *pointers);
    size_t count = 0;
    // Handles that failed come first, in case there isn't room for all: one that isn't named is sent whole.
    for (int pass = 0; pass < 2; pass++) {
        for (const struct draft *draft = step->drafts; draft < step->drafts + step->drafts_count; draft++) {
            for (size_t i = 0; i < draft->view->count; i++) {
                const struct section *one = &draft->view->sections[i];
                if (one->handle == 0 || has_failed(step, one->handle) != (pass == 0)) continue;
                add_held(rows, &count, one->handle, one->version, pass == 0);
            }
        }
        for (const struct draft *draft = step->drafts; draft < step->drafts + step->drafts_count; draft++) {
            for (size_t i = 0; i < draft->count && draft->is_joined; i++) {
                const struct section *one = &draft->sections[i], *held = section_of(draft->view, one->id);
                if ((held == NULL && pass == 1) || has_failed(step, one->handle) != (pass == 0)) continue;
                add_held(rows, &count, one->handle, held ? held->version : NULL, pass == 0);
            }
        }
    }
    size_t held = count;
    for (size_t i = 0; i < session.staged_count; i++) {
        size_t none = 0;
        add_held(rows + count++, &none, session.staged[i].handle, session.staged[i].version, false);
    }
    for (size_t i = 0; i < count; i++) pointers[i] = &rows[i];
    Marquee__V1__Nack nack = MARQUEE__V1__NACK__INIT;
    Marquee__V1__Cut good;
    Marquee__V1__Status status = status_of("CUT_REFUSED");
    status.message = (char *)step->text;
    SET(&nack, number, ++session.nack_number);
    nack.good = cut_message(&good, &session.position);
    nack.status = &status;
    nack.held = pointers;
    nack.staged = pointers + held;
    nack.n_held = smaller(held, session.elements);
    nack.n_staged = smaller(count - held, session.elements - nack.n_held);
    while (protobuf_c_message_get_packed_size(&nack.base) + 8 > session.frame_bytes) {
        if (nack.n_staged > 0) nack.n_staged--;
        else nack.n_held--;
    }
    session.waits_for_repair = true;
    say(NACK, &nack);
    free(rows);
    free(pointers);
    return NULL;
}

static void take_over(struct step *step, const struct cut *proven, const struct cut *position) {
    for (struct draft *draft = step->drafts; draft < step->drafts + step->drafts_count; draft++) {
        struct view *view = draft->view;
        bool was_joined = view->is_joined;
        if (draft->is_joined) {
            for (size_t i = 0; i < draft->count; i++) forget_staged(draft->sections[i].handle);
            forget_described(view->subscription);
            view->is_joined = true;
            view->is_withheld = false;
            view->attempts = 0;
            char *locale = view->locale;
            view->locale = draft->locale;
            draft->locale = locale;
        }
        struct section *sections = view->sections;
        size_t count = view->count;
        view->sections = draft->sections;
        view->count = draft->count;
        draft->sections = sections;
        draft->count = count;
        // A repair joins again what hasn't changed: that is nothing new to show.
        bool is_new = draft->is_joined && !was_joined;
        for (size_t i = 0; i < view->count; i++) is_new = is_new || view->sections[i].is_changed;
        draft->is_touched = is_new;
    }
    session.waits_for_repair = false;
    session.nacks_in_a_row = 0;
    retry.setbacks = retry.attempts = 0;
    free(retry.refused_screen);
    free(retry.refused_section);
    retry.refused_screen = retry.refused_section = NULL;
    move_to(position, proven);
    store(false);
    for (size_t i = 0; i < step->drafts_count; i++) {
        if (step->drafts[i].is_touched) show(step->drafts[i].view);
    }
}

// The last frame of a cut is here: all of it, or nothing.
static const char *finish_cut(void) {
    struct cut position = session.position, proven = {{0}, {0}};
    size_t at = 0, size;
    uint16_t kind;
    const uint8_t *body;
    bool is_repair = false;
    struct step *step = calloc(1, sizeof *step);
    if (step == NULL) fail(IO_ERROR, "no memory for a cut");
    while (next_frame(&at, &kind, &body, &size)) {
        if (kind != REPAIR) continue;
        Marquee__V1__Repair *repair = unpack(&marquee__v1__repair__descriptor, body, size);
        is_repair = is_repair || (repair != NULL && repair->number == session.nack_number);
        release(repair);
    }
    if (session.waits_for_repair && !is_repair) {
        free(step);
        return NULL;
    }
    for (size_t i = 0; i < mirror.count; i++) {
        struct view *view = &mirror.views[i];
        if (view->subscription == 0) continue;
        struct draft *draft = &step->drafts[step->drafts_count++];
        *draft = (struct draft){.view = view, .count = view->count};
        draft->sections = resized(NULL, view->count * sizeof *view->sections);
        for (size_t j = 0; j < view->count; j++) {
            draft->sections[j] = view->sections[j];
            draft->sections[j].id = copy_of(view->sections[j].id);
            keep_version(draft->sections[j].version);
        }
    }
    for (at = 0; next_frame(&at, &kind, &body, &size);) {
        if (kind == REPAIR) continue;
        ProtobufCMessage *message = unpack(kind_of(kind)->type, body, size);
        if (message == NULL) fail(IO_ERROR, "no memory for a cut's frame");
        if (kind == JOIN) join(step, (const void *)message);
        const Marquee__V1__Cut *cut =
            kind == JOIN ? ((Marquee__V1__Join *)message)->cut : ((Marquee__V1__Part *)message)->cut;
        advance(&position, cut);
        advance(&proven, cut);
        release(message);
    }
    find_places(step);
    patch_drafts(step);
    for (struct draft *draft = step->drafts; draft < step->drafts + step->drafts_count; draft++) {
        if (draft->is_touched && !sections_match(draft)) {
            refuse(step, draft, "", draft->sections[0].handle, "its sections are not those bound");
        }
    }
    const char *reason = NULL;
    if (held_bytes > HELD_BYTES) {
        reason = "ARENA_EXHAUSTED";
    } else if (step->failed_count > 0) {
        print_event("error", NULL, "message", step->text, "CUT_REFUSED");
        reason = say_nack(step);
    } else {
        take_over(step, &proven, &position);
    }
    for (size_t i = 0; i < step->drafts_count; i++) {
        free_sections(step->drafts[i].sections, step->drafts[i].count);
        free(step->drafts[i].locale);
    }
    free(step->places);
    free(step);
    return reason;
}

static const char *take_of_cut(
    uint16_t kind, uint16_t flags, const Marquee__V1__Cut *cut, const uint8_t *body, size_t size) {
    if (!!(flags & FIRST) == session.is_in_cut || names_other_epoch(cut)) return "CUT_ORDER";
    if (flags & FIRST) session.cut.count = session.cut_bytes = 0;
    session.is_in_cut = true;
    session.cut_bytes += size + 8;
    if (session.cut_bytes > CUT_BYTES) return "CUT_TOO_LARGE";
    uint8_t row[6];
    put_little(row, kind, 2);
    put_little(row + 2, size, 4);
    add_bytes(&session.cut, row, sizeof row);
    add_bytes(&session.cut, body, size);
    if (!(flags & LAST)) return NULL;
    session.is_in_cut = false;
    const char *reason = finish_cut();
    if (session.cut.room > MEBIBYTE) free_buffer(&session.cut);
    return reason;
}

// ---- frames

static const char *take_message(
    const struct kind *kind, uint16_t flags, void *message, const uint8_t *body, size_t size) {
    Marquee__V1__Ping *ping = message;
    Marquee__V1__GoAway *away = message;
    switch (kind->kind) {
    case WELCOME: return take_welcome(message);
    case PING: {
        Marquee__V1__Pong pong = MARQUEE__V1__PONG__INIT;
        SET(&pong, nonce, ping->nonce);
        say(PONG, &pong);
        return NULL;
    }
    case PROGRESS: return take_progress(message);
    case GO_AWAY: {
        int64_t pause = between((int64_t)smaller(away->reconnect_min_ms, PAUSE_ASKED_MS),
                                (int64_t)smaller(away->reconnect_max_ms, PAUSE_ASKED_MS));
        // The first time as the server wishes; without a cut in between, pauses grow as well.
        if (retry.attempts > 1 || !away->has_reconnect_max_ms) pause += pause_asked(away->status, retry.attempts);
        disconnect(pause, away->status->reason ? away->status->reason : "the server goes away");
        return NULL;
    }
    case CLOSE: take_close(((Marquee__V1__Close *)message)->status); return NULL;
    case SUBSCRIPTION_ERROR: take_subscription_error(message); return NULL;
    case JOIN: return take_of_cut(JOIN, flags, ((Marquee__V1__Join *)message)->cut, body, size);
    case REPAIR: return take_of_cut(REPAIR, flags, NULL, body, size);
    case DATA: return take_of_cut(DATA, flags, ((Marquee__V1__Part *)message)->cut, body, size);
    case STAGE: return take_stage(message, size + 8, flags & FIRST);
    case REBASE: return take_rebase(message);
    default: return NULL;  // pong; answers, as this client calls nothing
    }
}

// Takes one whole frame. NULL, or the reason to close with.
static const char *take_frame(uint16_t number, uint16_t flags, const uint8_t *body, size_t size) {
    const struct kind *kind = kind_of(number);
    void *message = NULL;
    if (kind == NULL) return flags & CRITICAL ? "UNKNOWN_CRITICAL_KIND" : NULL;
    if (!(kind->flags & BY_SERVER)) return "WRONG_DIRECTION";
    if (number != CLOSE && number != GO_AWAY && session.is_welcome == (number == WELCOME)) return "WRONG_DIRECTION";
    if (number == DATA || number == STAGE) {
        session.taken += HEADER_BYTES + size;
        if (2 * (session.taken - session.acknowledged) > session.credit) acknowledge();
    }
    const char *reason = decode(kind->type, body, size, ELEMENTS, &message);
    if (reason != NULL) return reason;
    reason = take_message(kind, flags, message, body, size);
    release(message);
    return reason;
}

static void take_bytes_in(void) {
    size_t at = 0, size;
    const char *reason;
    while ((reason = split(session.in.bytes + at, session.in.count - at, FRAME_BYTES, &size)) == NULL && size > 0) {
        const uint8_t *frame = session.in.bytes + at;
        at += size;
        session.frame_began = now_ms();
        reason = take_frame((uint16_t)get_big(frame + 4, 2), (uint16_t)get_big(frame + 6, 2), frame + HEADER_BYTES,
                            size - HEADER_BYTES);
        if (session.fd < 0 || reason != NULL) break;
    }
    if (session.fd < 0) return;
    if (reason != NULL) return close_with(reason);
    drop_front(&session.in, at);
}

// ------------------------------------------------------------------------------------------------ the connection

static struct sockaddr_storage address;
static socklen_t address_size;

// Without TLS a client talks to its own machine only.
static void find_address(void) {
    char host[256];
    const char *colon = strrchr(options.server, ':');
    if (colon == NULL || (size_t)(colon - options.server) >= sizeof host) fail(USAGE, "--server is HOST:PORT");
    const char *begin = options.server + (*options.server == '[');
    snprintf(host, sizeof host, "%.*s", (int)(colon - begin - (colon[-1] == ']')), begin);
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM}, *found;
    const char *name = strcmp(host, "localhost") == 0 ? "127.0.0.1" : host;
    if (getaddrinfo(name, colon + 1, &hints, &found) != 0) fail(USAGE, "--server: no address: %s", options.server);
    address_size = found->ai_addrlen;
    memcpy(&address, found->ai_addr, found->ai_addrlen);
    freeaddrinfo(found);
    const struct sockaddr_in *v4 = (const void *)&address;
    const struct sockaddr_in6 *v6 = (const void *)&address;
    if (!(address.ss_family == AF_INET && ntohl(v4->sin_addr.s_addr) >> 24 == 127) &&
        !(address.ss_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr))) {
        fail(USAGE, "%s is not on this machine, and this client has no TLS", options.server);
    }
}

static void disconnect(int64_t pause, const char *why) {
    if (session.fd >= 0) close(session.fd);
    for (size_t i = 0; i < mirror.count; i++) leave_view(&mirror.views[i]);
    while (session.staged_count > 0) drop_staged(0);
    while (session.manifests_count > 0) drop_version(session.manifests[--session.manifests_count].version);
    forget_described(0);
    free_patch(&session.staging);
    free_buffer(&session.in);
    free_buffer(&session.out);
    free_buffer(&session.cut);
    memset(&session, 0, sizeof session);
    session.fd = -1;
    retry.next = now_ms() + pause;
    print_event("state", NULL, "state", "waiting", why);
}

static void say_hello(void) {
    Marquee__V1__Hello hello = hello_of(options.user);
    Marquee__V1__Cut seen;
    struct cut newest = {{0}, {0}};
    hello.token = (char *)options.token;
    for (int log = 0; log < LOGS; log++) {
        if (mirror.seen_count[log] == 0) continue;
        const struct seen *last = &mirror.seen[log][mirror.seen_count[log] - 1];
        newest.revisions[log] = retry.trusts_proven ? last->proven : last->claimed;
        if (newest.revisions[log] == 0) continue;
        newest.epochs[log] = last->epoch;
        hello.seen = cut_message(&seen, &newest);
    }
    say(HELLO, &hello);
}

static void connect_now(void) {
    retry.attempts++;
    session.fd = socket(address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    session.began = session.heard = now_ms();
    if (session.fd < 0) return disconnect(pause_after(retry.attempts), strerror(errno));
    setsockopt(session.fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    if (connect(session.fd, (const struct sockaddr *)&address, address_size) != 0 && errno != EINPROGRESS) {
        disconnect(pause_after(retry.attempts), strerror(errno));
    }
}

static void read_some(void) {
    uint8_t bytes[65536];
    ssize_t count = recv(session.fd, bytes, sizeof bytes, 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0) return disconnect(pause_after(retry.attempts), count ? strerror(errno) : "the connection ended");
    session.heard = now_ms();
    session.has_pinged = false;
    if (session.in.count == 0) session.frame_began = session.heard;
    add_bytes(&session.in, bytes, (size_t)count);
    take_bytes_in();
}

// A server that is gone leaves nothing to read; writing says so too, but reading comes first (its close may be there).
static void write_some(void) {
    ssize_t count = send(session.fd, session.out.bytes, session.out.count, MSG_NOSIGNAL);
    if (count > 0) drop_front(&session.out, (size_t)count);
    else if (errno != EAGAIN && errno != EINTR) disconnect(pause_after(retry.attempts), strerror(errno));
}

// What time demands. Gives when to look again.
static int64_t keep_time(void) {
    int64_t now = now_ms(), next = now + 1000;
    if (session.fd < 0) {
        if (now >= retry.next) connect_now();
        return session.fd < 0 ? retry.next : next;
    }
    if (!session.is_welcome) {
        if (now - session.began >= WELCOME_MS) disconnect(pause_after(retry.attempts), "no welcome");
        return next;
    }
    int64_t silence = now - session.heard;
    if (session.in.count > 0 && now - session.frame_began >= 3 * session.interval) {
        close_with("FRAME_UNFINISHED");
        return now;
    }
    if (silence >= 2 * session.interval && session.has_pinged) {
        disconnect(pause_after(retry.attempts), "the server is silent");
        return now;
    }
    bool may_ping = session.pinged == 0 || now - session.pinged >= session.ping_minimum;
    if (silence >= session.interval && !session.has_pinged && may_ping) {
        Marquee__V1__Ping ping = MARQUEE__V1__PING__INIT;
        SET(&ping, nonce, (uint64_t)now);
        say(PING, &ping);
        session.has_pinged = true;
        session.pinged = now;
    }
    for (size_t i = 0; i < mirror.count; i++) {
        struct view *view = &mirror.views[i];
        if (!view->is_wanted || view->is_ended || view->subscription != 0) continue;
        if (now >= view->retry_at) subscribe(view);
        else next = (int64_t)smaller((uint64_t)next, (uint64_t)view->retry_at);
    }
    int64_t step = session.interval - silence % session.interval;
    return (int64_t)smaller((uint64_t)next, (uint64_t)(now + step));
}

static void run(void) {
    int64_t end = options.timeout_ms ? now_ms() + options.timeout_ms : INT64_MAX;
    print_event("state", NULL, "state", "connecting", NULL);
    while (!stop_signal && options.count != 0) {
        int64_t next = keep_time(), now = now_ms();
        if (now >= end) {
            store(true);
            fail(session.is_welcome ? AGAIN_LATER : UNAVAILABLE, "not in time");
        }
        if (session.is_welcome) say_manifests();
        if (session.out.count > SENDING_BYTES) {
            disconnect(pause_after(retry.attempts), "the server takes nothing");
            continue;
        }
        next = (int64_t)smaller((uint64_t)next, (uint64_t)end);
        bool writes = session.fd >= 0 && (!session.is_open || session.out.count > 0);
        struct pollfd polls[2] = {{wake_pipe[0], POLLIN, 0}, {session.fd, POLLIN | (writes ? POLLOUT : 0), 0}};
        if (poll(polls, 2, (int)(next > now ? next - now : 0)) <= 0) continue;
        if (session.fd < 0 || polls[1].revents == 0) continue;
        if (!session.is_open) {
            int error = 0;
            getsockopt(session.fd, SOL_SOCKET, SO_ERROR, &error, &(socklen_t){sizeof error});
            if (error != 0) {
                disconnect(pause_after(retry.attempts), strerror(error));
            } else if (polls[1].revents & POLLOUT) {
                session.is_open = true;
                say_hello();
            }
            continue;
        }
        if (polls[1].revents & (POLLIN | POLLHUP | POLLERR)) read_some();
        if (session.fd >= 0 && session.is_open && session.out.count > 0 && (polls[1].revents & POLLOUT)) write_some();
    }
}

// ------------------------------------------------------------------------------------------------ main

static const char HELP[] =
    "Shows live screens of a Marquee server on this machine.\n"
    "\n"
    "USAGE: marquee-client [OPTIONS] SCREEN…\n"
    "\n"
    "  --server HOST:PORT   the server (default: 127.0.0.1:7420); also MARQUEE_SERVER\n"
    "  --mirror FILE        keep the screens there, and go on from it the next time\n"
    "  --output FORMAT      text (default), or ndjson: one JSON object a line\n"
    "  --user NAME          who you are; a token that proves it is read from MARQUEE_TOKEN\n"
    "  --locale NAME        the language wanted\n"
    "  --count N            end after N screens were shown live\n"
    "  --timeout SECONDS    end with status 69 or 75 after that time\n"
    "\n"
    "EXIT STATUS\n"
    "  0    done; also when the reader of a pipe has seen enough\n"
    "  64   the command is wrong          74   reading or writing failed\n"
    "  65   the mirror is damaged         75   not in time; try again later\n"
    "  69   no server can be reached      76   the server refused\n"
    "  73   the mirror can't be used      77   the server forbids it\n"
    "  130, 143   interrupted, terminated\n";

static void on_signal(int number) {
    int before = errno;
    stop_signal = number;
    if (write(wake_pipe[1], "", 1) < 0) errno = before;
}

static int64_t number_of(const char *text, const char *option, int64_t most) {
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (errno != 0 || *end != 0 || end == text || value < 1 || value > most) {
        fail(USAGE, "%s: a number from 1 to %" PRId64 " is expected, not '%s'", option, most, text);
    }
    return value;
}

static const char *or_else(const char *text, const char *otherwise) { return text != NULL && *text ? text : otherwise; }

int main(int count, char **words) {
    static const struct option known[] = {
        {"server", 1, NULL, 's'}, {"mirror", 1, NULL, 'm'}, {"output", 1, NULL, 'o'}, {"user", 1, NULL, 'u'},
        {"locale", 1, NULL, 'l'}, {"count", 1, NULL, 'n'}, {"timeout", 1, NULL, 't'},
        {"help", 0, NULL, 'h'}, {0}};
    empty = make_version((const uint8_t *)"", 0, NULL, 0);
    fill_random(mirror.client_id, sizeof mirror.client_id);
    options.server = or_else(getenv("MARQUEE_SERVER"), options.server);
    options.token = or_else(getenv("MARQUEE_TOKEN"), NULL);
    for (int one; (one = getopt_long(count, words, "h", known, NULL)) != -1;) {
        switch (one) {
        case 's': options.server = optarg; break;
        case 'm': mirror.path = optarg; break;
        case 'o':
            options.is_ndjson = strcmp(optarg, "ndjson") == 0;
            if (!options.is_ndjson && strcmp(optarg, "text")) fail(USAGE, "--output is text or ndjson");
            break;
        case 'u': options.user = optarg; break;
        case 'l': options.locale = optarg; break;
        case 'n': options.count = number_of(optarg, "--count", INT32_MAX); break;
        case 't': options.timeout_ms = 1000 * number_of(optarg, "--timeout", INT32_MAX); break;
        case 'h': return fputs(HELP, stdout) < 0 ? IO_ERROR : DONE;
        default: return USAGE;
        }
    }
    signal(SIGPIPE, SIG_IGN);
    if (optind == count || count - optind > SCREENS) fail(USAGE, "1 to %d screens are expected; see --help", SCREENS);
    find_address();
    if (options.token != NULL && strlen(options.token) > TOKEN_BYTES) fail(USAGE, "MARQUEE_TOKEN is too long");
    if (mirror.path != NULL) open_mirror();
    for (; optind < count; optind++) {
        const uint8_t *text = (const uint8_t *)words[optind];
        size_t size = strlen(words[optind]);
        if (size == 0 || size > NAME_BYTES || check_text(text, text + size) != NULL) fail(USAGE, "that is no screen");
        struct view *view = view_named(words[optind]);
        if (view == NULL) view = add_view(words[optind]);
        view->is_wanted = true;
    }
    if (pipe2(wake_pipe, O_CLOEXEC | O_NONBLOCK) != 0) fail(IO_ERROR, "no pipe: %s", strerror(errno));
    struct sigaction action = {.sa_handler = on_signal};  // without SA_RESTART: a write to a slow reader ends, too
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    for (size_t i = 0; i < mirror.count; i++) {
        if (mirror.views[i].is_wanted) show(&mirror.views[i]);
    }
    run();
    store(true);
    if (session.fd >= 0) close(session.fd);
    return stop_signal == SIGINT ? INTERRUPTED : stop_signal == SIGTERM ? TERMINATED : DONE;
}
