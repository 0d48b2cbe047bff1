// What the load generator's parts share: one thread, one epoll loop, many connections of one protocol.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A visitor goes as soon as it has been greeted.
enum role { ROLE_SUBSCRIBER, ROLE_PUBLISHER, ROLE_USER, ROLE_VISITOR };

struct connection {
    const struct protocol *protocol;
    int descriptor;
    uint8_t role;
    uint8_t stage;            // the protocol's own, from 0
    bool ready;
    bool secured;             // the TLS handshake is over
    bool answered;            // the head of the response to its first HTTP request has come
    bool in_messages;         // what it sends goes into WebSocket messages
    uint16_t waiting;         // a publisher's publications that are not answered
    uint32_t index;           // among those of its role
    uint32_t partial_length;  // bytes of a message that isn't complete
    uint8_t *partial;
    uint64_t through;         // the newest publication that it has; the first one is 1
    uint64_t counted;         // Marquee: bytes that credit counts
    uint64_t acknowledged;    // Marquee: how many of them the server knows about
    uint64_t revision;        // Marquee: the catalogue's, that it has
    uint64_t number;          // Marquee: of the last call
    uint64_t asked_at;        // when a user's last call was sent, or a visitor began to connect
    uint64_t asks, shown;     // a user's calls, and those whose effect it has been sent
    uint64_t *asked;          // when each of its newest calls was sent
    uint64_t user_revision;   // Marquee: of a user's collections, that it has
    uint64_t user_base;       // Marquee: the same before its first call
    uint64_t handle;          // Marquee: of the screen's first section
    uint64_t sum;             // Marquee: of the version of it that the last patch led to
    struct ssl_st *tls;       // null if the connection is plain
    uint8_t *gathered;        // what waits for `load_flush`
    uint32_t gathered_length;
};

// Enough of a protocol to subscribe, to publish, and to tell one delivery from the next.
struct protocol {
    const char *name;
    // After connecting: sends what has to be sent first.
    void (*connected)(struct connection *connection);
    // Takes complete messages. Returns how many bytes it took.
    size_t (*receive)(struct connection *connection, const uint8_t *bytes, size_t count);
    // Sends publication `number`.
    void (*publish)(struct connection *publisher, uint64_t number);
    // Puts something into a user's favorites, or takes it out; null if the protocol has none.
    void (*favorite)(struct connection *user);
    // Asks what the server has counted, by a publisher that waits for nothing; null if the protocol can't.
    void (*health)(struct connection *publisher);
    // Gets the screen, or searches; null if the protocol can't.
    void (*call)(struct connection *caller, bool searches);
    // Whether a subscriber may get one delivery for several publications.
    bool conflates;
    // Publications of one connection that may be unanswered; more of them need more connections. 0: any number.
    uint32_t unanswered;
    // What it calls itself in a TLS handshake (ALPN); null if it doesn't.
    const char *application;
    // What publishers speak; null: the same.
    const struct protocol *publishers;
};

extern const struct protocol marquee_protocol, raw_protocol, redis_protocol, nats_protocol, mqtt_protocol,
    grpc_protocol, http_protocol, marquee_socket_protocol, marquee_events_protocol, raw_socket_protocol,
    nchan_socket_protocol, nchan_events_protocol;

// Bytes of an update: of the whole message where that is ours to choose, of its payload elsewhere.
enum { UPDATE_BYTES = 200 };

// What subscribers of Marquee show.
extern const char *screen;
// Records of Marquee's that publications change, in turn.
extern uint32_t changed_records;
// Whether subscribers of Marquee offer what the first one that ever came was given.
extern bool subscribers_return;

// To be called by protocols.
void load_send(struct connection *connection, const void *bytes, size_t count);
void load_send_text(struct connection *connection, const char *text);
// Sends `head`, an update and `tail`, together at most 512 bytes.
void load_send_update(
    struct connection *publisher, uint64_t number, const void *head, size_t head_bytes, size_t update_bytes,
    const char *tail);
void load_ready(struct connection *connection);
void load_delivered(struct connection *connection, uint64_t through);
void load_answered(struct connection *connection);
// A user has been sent the effects of so many of its calls.
void load_shown(struct connection *user, uint64_t through);
// Of what has been received, so many bytes were a view's content.
void load_content(const struct connection *connection, size_t count);
// A connection has been told how far the server is, and nothing else.
void load_progress(const struct connection *connection);
void load_counted(uint64_t sessions, uint64_t encodes);
// Of a clock that is never set.
uint64_t now_nanoseconds(void);
void load_fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

// How many publications a revision of Marquee's catalogue has, since the first publisher came.
uint64_t marquee_publications(uint64_t revision);

// Text of exactly `count` bytes that differs from one number to the next. It has no quotes and no control characters.
void fill_text(uint8_t *text, size_t count, uint64_t number);
