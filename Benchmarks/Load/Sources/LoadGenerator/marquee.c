// Just enough of Proto/PROTOCOL.md for a subscriber, a publisher and a user. What is received is counted and
// acknowledged as the protocol demands, and its positions are read; its content isn't checked, as that would be the
// client's work.
#include "load.h"
#include "protobuf.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

enum kind {
    HELLO = 1, WELCOME = 2, PING = 3, PONG = 4, PROGRESS = 5, ACK = 6, GO_AWAY = 7, CLOSE = 8, SUBSCRIBE = 16,
    SUBSCRIPTION_ERROR = 18, JOIN = 19, REPAIR = 21, DATA = 32, STAGE = 33, REQUEST = 48, ANSWER = 49,
};
enum { LAST = 4, HEADER_BYTES = 12, MESSAGE_BYTES = 2048, CLIENT_ID_BYTES = 16 };
// In flight at once, by the protocol's limits.
enum { CALLS = 16 };
enum { METHOD_COLLECTION = 5, METHOD_PUBLISH = 6 };
// A frame of about UPDATE_BYTES carries so much of a text; the rest is its header, sums and positions.
enum { TEXT_BYTES = 144 };
// Records of the generated catalogue. One is changed by publications; users keep all of them as favorites, in turn.
enum { RECORDS = 20 };
static const uint64_t CREDIT = 1 << 20;

const char *screen = "home";

// The catalogue's revision before the first publication: welcome has told it to the publisher.
static uint64_t base_revision;
static bool knows_base;

static uint32_t crc32c(uint32_t remainder, const uint8_t *bytes, size_t count) {
    static uint32_t table[256];
    if (table[1] == 0) {
        for (uint32_t byte = 0; byte < 256; byte++) {
            uint32_t word = byte;
            for (int bit = 0; bit < 8; bit++) word = word >> 1 ^ (word & 1 ? 0x82f63b78 : 0);
            table[byte] = word;
        }
    }
    while (count-- > 0) remainder = remainder >> 8 ^ table[(remainder ^ *bytes++) & 255];
    return remainder;
}

static void send_frame(struct connection *connection, enum kind kind, const struct message *body) {
    uint8_t frame[HEADER_BYTES + MESSAGE_BYTES];
    uint32_t length = htonl((uint32_t)body->count + 8);
    uint16_t header[2] = {htons(kind), 0};
    memcpy(frame, &length, 4);
    memcpy(frame + 4, header, 4);
    uint32_t check = htonl(~crc32c(crc32c(~0u, body->bytes, body->count), frame, 8));
    memcpy(frame + 8, &check, 4);
    memcpy(frame + HEADER_BYTES, body->bytes, body->count);
    load_send(connection, frame, HEADER_BYTES + body->count);
}

// MARK: - Sending

static void client_id(const struct connection *connection, uint8_t id[CLIENT_ID_BYTES]) {
    memset(id, 0, CLIENT_ID_BYTES);
    id[0] = connection->role + 1;
    memcpy(id + 4, &connection->index, sizeof connection->index);
}

static void connected(struct connection *connection) {
    struct message hello = {0};
    put_number(&hello, 1, 1);
    put_number(&hello, 2, 1);
    if (connection->role != ROLE_SUBSCRIBER) {
        char user[32];
        snprintf(user, sizeof user, connection->role == ROLE_PUBLISHER ? "editor" : "user%u", connection->index);
        put_text(&hello, 6, user);
    }
    uint8_t id[CLIENT_ID_BYTES];
    client_id(connection, id);
    put_bytes(&hello, 8, id, sizeof id);
    put_text(&hello, 9, "load generator");
    send_frame(connection, HELLO, &hello);
}

static void subscribe(struct connection *connection, const char *name) {
    struct message message = {0};
    put_number(&message, 1, 1);
    put_text(&message, 3, name);
    send_frame(connection, SUBSCRIBE, &message);
}

static void acknowledge(struct connection *connection) {
    struct message cut = {0}, ack = {0};
    put_number(&cut, 2, connection->revision);
    put_number(&ack, 1, connection->counted);
    if (connection->revision > 0) put_bytes(&ack, 2, cut.bytes, cut.count);
    connection->acknowledged = connection->counted;
    send_frame(connection, ACK, &ack);
}

static void request(struct connection *connection, unsigned method, uint64_t number, const struct message *body) {
    struct message message = {0};
    put_number(&message, 1, number);
    put_number(&message, 2, method);
    put_bytes(&message, 5, body->bytes, body->count);
    send_frame(connection, REQUEST, &message);
}

static void publish(struct connection *publisher, uint64_t number) {
    static const char HEAD[] = "{\"merge\":{\"type\":\"movie\",\"id\":\"1\",\"record\":{\"overview\":\"";
    static const char TAIL[] = "\"}}}";
    uint8_t change[sizeof HEAD + TEXT_BYTES + sizeof TAIL];
    size_t length = sizeof HEAD - 1;
    memcpy(change, HEAD, length);
    fill_text(change + length, TEXT_BYTES, number);
    memcpy(change + length + TEXT_BYTES, TAIL, sizeof TAIL - 1);
    length += TEXT_BYTES + sizeof TAIL - 1;
    struct message body = {0};
    put_number(&body, 1, number);
    put_number(&body, 4, 0);
    put_number(&body, 5, 1);
    put_bytes(&body, 6, change, length);
    request(publisher, METHOD_PUBLISH, number, &body);
}

static void favorite(struct connection *user) {
    // Puts all records in, then takes all out, and so on: each one is a change.
    char subject[32];
    snprintf(subject, sizeof subject, "movie/%u", (unsigned)(user->number % RECORDS) + 1);
    bool member = user->number / RECORDS % 2 == 0;
    user->number += 1;
    struct message body = {0};
    put_number(&body, 1, user->number);
    put_number(&body, 2, user->number - 1);
    put_text(&body, 3, subject);
    put_number(&body, 4, member);
    request(user, METHOD_COLLECTION, user->number, &body);
}

// MARK: - Receiving

static void moved(struct connection *connection, struct field cut) {
    struct field revision = find_field(cut.bytes, cut.count, 2);
    if (revision.found && revision.number > connection->revision) connection->revision = revision.number;
}

static void arrived(struct connection *connection) {
    if (connection->revision > base_revision) load_delivered(connection, connection->revision - base_revision);
}

static void end_of_cut(struct connection *connection) {
    if (connection->stage == 1) return;
    if (!connection->ready) load_ready(connection);
    arrived(connection);
}

static void refuse(const char *what, const uint8_t *body, size_t count, unsigned number) {
    struct field status = number > 0 ? find_field(body, count, number) : (struct field){.bytes = body, .count = count};
    struct field reason = find_field(status.bytes, status.count, 2), text = find_field(status.bytes, status.count, 4);
    load_fail("%s: %.*s %.*s", what, (int)reason.count, reason.bytes, (int)text.count, text.bytes);
}

static void welcomed(struct connection *connection, const uint8_t *body, size_t count) {
    moved(connection, find_field(body, count, 7));
    connection->stage = 1;
    switch (connection->role) {
    case ROLE_SUBSCRIBER:
        if (!knows_base) load_fail("a publisher has to connect first");
        subscribe(connection, screen);
        break;
    case ROLE_USER:
        subscribe(connection, "user-collections");
        break;
    default:
        if (!knows_base) base_revision = connection->revision;
        knows_base = true;
        load_ready(connection);
    }
}

static void received(struct connection *connection, unsigned kind, unsigned flags, const uint8_t *body, size_t count) {
    if (kind == DATA || kind == STAGE) {
        connection->counted += HEADER_BYTES + count;
        if (connection->counted - connection->acknowledged > CREDIT / 2) acknowledge(connection);
    }
    switch (kind) {
    case WELCOME: welcomed(connection, body, count); break;
    case JOIN:
        connection->stage = 2;
        moved(connection, find_field(body, count, 6));
        if (flags & LAST) end_of_cut(connection);
        break;
    case DATA:
        moved(connection, find_field(body, count, 10));
        if (flags & LAST) end_of_cut(connection);
        break;
    case PROGRESS:
        moved(connection, find_field(body, count, 1));
        acknowledge(connection);
        if (connection->role == ROLE_SUBSCRIBER && connection->ready) arrived(connection);
        break;
    case PING: {
        struct field nonce = find_field(body, count, 1);
        struct message pong = {0};
        put_number(&pong, 1, nonce.number);
        send_frame(connection, PONG, &pong);
        break;
    }
    case ANSWER:
        if (find_field(body, count, 2).found) refuse("a request was refused", body, count, 2);
        load_answered(connection);
        break;
    case SUBSCRIPTION_ERROR: refuse("a subscription was refused", body, count, 3); break;
    case GO_AWAY: refuse("the server sends its clients away", body, count, 1); break;
    case CLOSE: refuse("the server closed", body, count, 1); break;
    default: break;
    }
}

static size_t receive(struct connection *connection, const uint8_t *bytes, size_t count) {
    size_t used = 0;
    while (count - used >= HEADER_BYTES) {
        uint32_t length;
        uint16_t kind, flags;
        memcpy(&length, bytes + used, 4);
        memcpy(&kind, bytes + used + 4, 2);
        memcpy(&flags, bytes + used + 6, 2);
        length = ntohl(length);
        if (length < 8) load_fail("a frame of %u bytes", length);
        if (count - used < length + (size_t)4) break;
        received(connection, ntohs(kind), ntohs(flags), bytes + used + HEADER_BYTES, length - 8);
        used += length + (size_t)4;
    }
    return used;
}

const struct protocol marquee_protocol = {"marquee", connected, receive, publish, favorite, true, CALLS};
