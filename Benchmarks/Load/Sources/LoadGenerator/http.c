// HTTP/1.1: for clients that get a page and stay, and for nchan's publishers.
#define _GNU_SOURCE
#include "http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char END[] = "\r\n\r\n";

// Where a text is, whatever the case of its letters; null if it isn't there.
static const uint8_t *find(const uint8_t *bytes, size_t count, const char *text) {
    size_t length = strlen(text);
    for (size_t at = 0; at + length <= count; at++)
        if (strncasecmp((const char *)bytes + at, text, length) == 0) return bytes + at;
    return NULL;
}

size_t http_head(const uint8_t *bytes, size_t count, const char *status, const char *const fields[]) {
    static const char VERSION[] = "HTTP/1.1 ";
    const uint8_t *end = memmem(bytes, count, END, sizeof END - 1);
    if (!end) return 0;
    size_t head = (size_t)(end - bytes) + sizeof END - 1;
    size_t version = sizeof VERSION - 1, length = strlen(status);
    bool good = head > version + length && memcmp(bytes, VERSION, version) == 0
        && memcmp(bytes + version, status, length) == 0;
    for (; good && *fields; fields++) good = find(bytes, head, *fields) != NULL;
    if (!good) load_fail("HTTP: %.*s", (int)count, bytes);
    return head;
}

// Returns the bytes of a response with its body; 0 if it isn't whole.
static size_t whole(const uint8_t *bytes, size_t count, const char *status) {
    static const char LENGTH[] = "\r\nContent-Length: ";
    static const char *const FIELDS[] = {LENGTH, NULL};
    size_t head = http_head(bytes, count, status, FIELDS);
    if (head == 0) return 0;
    const uint8_t *length = find(bytes, head, LENGTH);
    size_t all = head + strtoul((const char *)length + sizeof LENGTH - 1, NULL, 10);
    return count < all ? 0 : all;
}

// MARK: - A page

static void connected(struct connection *connection) {
    if (connection->role == ROLE_PUBLISHER) {
        load_ready(connection);
    } else {
        load_send_text(connection, "GET /home HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
}

static size_t receive(struct connection *connection, const uint8_t *bytes, size_t count) {
    size_t used = whole(bytes, count, "200 ");
    if (used > 0) load_ready(connection);
    return used;
}

static void publish(struct connection *publisher, uint64_t number) {
    (void)publisher;
    load_fail("HTTP has no publication %llu", (unsigned long long)number);
}

const struct protocol http_protocol = {
    .name = "http", .connected = connected, .receive = receive, .publish = publish,
};

// MARK: - Publishers of nchan

static size_t receive_answers(struct connection *publisher, const uint8_t *bytes, size_t count) {
    size_t used = 0;
    // 201: somebody reads it.
    for (size_t answer; (answer = whole(bytes + used, count - used, "201 ")) > 0; used += answer)
        load_answered(publisher);
    return used;
}

static void post(struct connection *publisher, uint64_t number) {
    char head[128];
    int length = snprintf(
        head, sizeof head, "POST /publish HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n", UPDATE_BYTES);
    load_send_update(publisher, number, head, (size_t)length, UPDATE_BYTES, "");
}

const struct protocol nchan_publisher_protocol = {
    .name = "nchan", .connected = load_ready, .receive = receive_answers, .publish = post, .unanswered = 1,
};
