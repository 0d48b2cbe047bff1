// Subscribers by server-sent events. Each event is checked: whole lines, of known fields; Marquee's also that
// they come in chunks, that the whole screen is first, and what position and sum they lead to.
#define _GNU_SOURCE
#include "http.h"

#include <stdlib.h>
#include <string.h>

#define REQUEST(PATH) "GET " PATH " HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n"
enum { SUM_DIGITS = 16 };

struct text {
    const uint8_t *bytes;  // null if there is none
    size_t count;
};

struct event {
    struct text id, name, data;
};

static bool is(struct text text, const char *other) {
    return text.count == strlen(other) && memcmp(text.bytes, other, text.count) == 0;
}

// The value of a line that begins with the field.
static bool take_field(const char *field, struct text line, struct text *value) {
    size_t length = strlen(field);
    if (line.count < length || memcmp(line.bytes, field, length) != 0) return false;
    *value = (struct text){line.bytes + length, line.count - length};
    return true;
}

// Takes whole events, of which those with data have a meaning.
static size_t take_events(
    struct connection *connection, const uint8_t *bytes, size_t count,
    void (*take)(struct connection *connection, const struct event *event)) {
    struct event event = {0};
    size_t used = 0, at = 0;
    for (const uint8_t *end; (end = memchr(bytes + at, '\n', count - at)); at = (size_t)(end - bytes) + 1) {
        struct text line = {bytes + at, (size_t)(end - bytes) - at}, ignored;
        if (line.count == 0) {
            if (event.data.bytes) take(connection, &event);
            event = (struct event){0};
            used = at + 1;
            continue;
        }
        bool known = take_field("data: ", line, &event.data) || take_field("id: ", line, &event.id)
            || take_field("event: ", line, &event.name) || take_field(":", line, &ignored)
            || take_field("retry: ", line, &ignored);
        if (!known) load_fail("an event with the line %.*s", (int)line.count, line.bytes);
    }
    return used;
}

// MARK: - Marquee

static void marquee_connected(struct connection *connection) {
    load_send_text(connection, REQUEST("/v1/screens/home"));
}

// An id is EPOCH.REVISION.EPOCH.REVISION.SUMS; the last sum is that of the last section.
static void take_position(struct connection *connection, struct text id) {
    const uint8_t *dot = id.bytes ? memchr(id.bytes, '.', id.count) : NULL;
    if (!dot || id.count < SUM_DIGITS) load_fail("an event without a position");
    char sum[SUM_DIGITS + 1] = {0};
    memcpy(sum, id.bytes + id.count - SUM_DIGITS, SUM_DIGITS);
    connection->sum = strtoull(sum, NULL, 16);
    connection->revision = strtoull((const char *)dot + 1, NULL, 10);
}

static void marquee_take(struct connection *connection, const struct event *event) {
    const char *name = connection->ready ? "update" : "screen";
    if (!is(event->name, name) || event->data.bytes[0] != '{' || event->data.bytes[event->data.count - 1] != '}')
        load_fail("not an event %s: %.*s", name, (int)event->data.count, event->data.bytes);
    take_position(connection, event->id);
    if (!connection->ready) load_ready(connection);
    load_delivered(connection, marquee_publications(connection->revision));
}

static size_t take_chunks(struct connection *connection, const uint8_t *bytes, size_t count) {
    size_t used = 0;
    for (const uint8_t *end; (end = memchr(bytes + used, '\n', count - used));) {
        char *digits_end;
        size_t length = strtoul((const char *)bytes + used, &digits_end, 16);
        const uint8_t *text = end + 1;
        if ((const uint8_t *)digits_end != end - 1 || *digits_end != '\r') load_fail("a chunk without a length");
        if (length == 0) load_fail("the server ended its events");
        if (count - (size_t)(text - bytes) < length + 2) break;
        if (memcmp(text + length, "\r\n", 2) != 0) load_fail("a chunk that doesn't end");
        if (take_events(connection, text, length, marquee_take) != length) load_fail("a chunk with a part of an event");
        used = (size_t)(text - bytes) + length + 2;
    }
    return used;
}

static size_t marquee_receive(struct connection *connection, const uint8_t *bytes, size_t count) {
    static const char *const FIELDS[] = {
        "\r\nContent-Type: text/event-stream\r\n", "\r\nTransfer-Encoding: chunked\r\n", NULL};
    size_t used = 0;
    if (!connection->answered) {
        used = http_head(bytes, count, "200 ", FIELDS);
        if (used == 0) return 0;
        connection->answered = true;
    }
    return used + take_chunks(connection, bytes + used, count - used);
}

const struct protocol marquee_events_protocol = {
    .name = "marquee-events", .connected = marquee_connected, .receive = marquee_receive, .conflates = true,
    .publishers = &marquee_protocol,
};

// MARK: - nchan

static void nchan_connected(struct connection *connection) { load_send_text(connection, REQUEST("/home")); }

static void nchan_take(struct connection *connection, const struct event *event) {
    if (event->data.count != UPDATE_BYTES) load_fail("an update of %zu bytes", event->data.count);
    load_delivered(connection, connection->through + 1);
}

static size_t nchan_receive(struct connection *connection, const uint8_t *bytes, size_t count) {
    static const char *const FIELDS[] = {"\r\nContent-Type: text/event-stream", NULL};
    size_t used = 0;
    if (!connection->answered) {
        used = http_head(bytes, count, "200 ", FIELDS);
        if (used == 0) return 0;
        connection->answered = true;
        load_ready(connection);
    }
    return used + take_events(connection, bytes + used, count - used, nchan_take);
}

const struct protocol nchan_events_protocol = {
    .name = "nchan-events", .connected = nchan_connected, .receive = nchan_receive,
    .publishers = &nchan_publisher_protocol,
};
