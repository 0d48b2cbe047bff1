// Subscribers by WebSocket. Each message of a server is checked: whole, unmasked, of the right kind, its length as short
// as possible.
#include "websocket.h"
#include "http.h"

#include <string.h>

// The example of RFC 6455 section 1.3, whose answer is known.
#define KEY "dGhlIHNhbXBsZSBub25jZQ=="
#define ACCEPT "\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"
#define REQUEST(PATH, FIELDS)                                                                        \
    "GET " PATH " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"      \
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " KEY "\r\n" FIELDS "\r\n"

enum { FINAL = 0x80, MASKED = 0x80, LENGTH_16 = 126, LENGTH_64 = 127, CONTROL_BYTES = 125 };

size_t socket_message(uint8_t *message, unsigned opcode, const void *payload, size_t count) {
    static uint64_t random = 0x9e3779b97f4a7c15;
    size_t head = count < LENGTH_16 ? 2 : 4;
    if (head + 4 + count > SOCKET_MESSAGE_BYTES) load_fail("a message of %zu bytes", count);
    message[0] = (uint8_t)(FINAL | opcode);
    message[1] = (uint8_t)(MASKED | (head == 2 ? count : LENGTH_16));
    if (head == 4) {
        message[2] = (uint8_t)(count >> 8);
        message[3] = (uint8_t)count;
    }
    random = random * 6364136223846793005 + 1442695040888963407;
    uint8_t *mask = message + head;
    for (int index = 0; index < 4; index++) mask[index] = (uint8_t)(random >> (32 + 8 * index));
    for (size_t index = 0; index < count; index++)
        mask[4 + index] = ((const uint8_t *)payload)[index] ^ mask[index % 4];
    return head + 4 + count;
}

static uint64_t big_endian(const uint8_t *bytes, size_t count) {
    uint64_t number = 0;
    while (count-- > 0) number = number << 8 | *bytes++;
    return number;
}

static void control(struct connection *connection, unsigned opcode, const uint8_t *payload, size_t count) {
    switch (opcode) {
    case SOCKET_PING: {
        uint8_t pong[SOCKET_MESSAGE_BYTES];
        size_t length = socket_message(pong, SOCKET_PONG, payload, count);
        bool was = connection->in_messages;
        connection->in_messages = false;
        load_send(connection, pong, length);
        connection->in_messages = was;
        break;
    }
    case SOCKET_CLOSE:
        load_fail("the server closed a WebSocket: %u", count < 2 ? 0 : (unsigned)big_endian(payload, 2));
    default: load_fail("a WebSocket frame of kind %u", opcode);
    }
}

// Takes whole messages, of which those with the opcode have a meaning.
static size_t take_messages(
    struct connection *connection, const uint8_t *bytes, size_t count, unsigned opcode,
    void (*take)(struct connection *connection, const uint8_t *payload, size_t count)) {
    size_t used = 0;
    while (count - used >= 2) {
        const uint8_t *frame = bytes + used;
        if (frame[1] & MASKED) load_fail("a WebSocket frame that a server has masked");
        size_t extra = frame[1] == LENGTH_16 ? 2 : frame[1] == LENGTH_64 ? 8 : 0, head = 2 + extra;
        if (count - used < head) break;
        uint64_t length = extra > 0 ? big_endian(frame + 2, extra) : frame[1];
        if ((extra == 2 && length < LENGTH_16) || (extra == 8 && length <= UINT16_MAX))
            load_fail("a WebSocket frame with a length that isn't the shortest");
        if (count - used - head < length) break;
        if (frame[0] == (FINAL | opcode)) {
            take(connection, frame + head, length);
        } else if (frame[0] & FINAL && !(frame[0] & 0x70) && length <= CONTROL_BYTES) {
            control(connection, frame[0] & 0xf, frame + head, length);
        } else {
            load_fail("a WebSocket frame that begins with %02x", frame[0]);
        }
        used += head + length;
    }
    return used;
}

// Takes the answer to the request, then messages.
static size_t receive(
    struct connection *connection, const uint8_t *bytes, size_t count, const char *const fields[], unsigned opcode,
    void (*answered)(struct connection *connection),
    void (*take)(struct connection *connection, const uint8_t *payload, size_t count)) {
    size_t used = 0;
    if (!connection->answered) {
        used = http_head(bytes, count, "101 ", fields);
        if (used == 0) return 0;
        connection->answered = true;
        answered(connection);
    }
    return used + take_messages(connection, bytes + used, count - used, opcode, take);
}

// MARK: - Marquee

static void marquee_connected(struct connection *connection) {
    load_send_text(connection, REQUEST("/v1/connect", "Sec-WebSocket-Protocol: marquee.v1\r\n"));
}

static void marquee_answered(struct connection *connection) {
    connection->in_messages = true;
    marquee_protocol.connected(connection);
}

static void marquee_take(struct connection *connection, const uint8_t *payload, size_t count) {
    if (marquee_protocol.receive(connection, payload, count) != count) load_fail("a message with a part of a frame");
}

static size_t marquee_receive(struct connection *connection, const uint8_t *bytes, size_t count) {
    static const char *const FIELDS[] = {ACCEPT, "\r\nSec-WebSocket-Protocol: marquee.v1\r\n", NULL};
    return receive(connection, bytes, count, FIELDS, SOCKET_BINARY, marquee_answered, marquee_take);
}

const struct protocol marquee_socket_protocol = {
    .name = "marquee-socket", .connected = marquee_connected, .receive = marquee_receive, .conflates = true,
    .publishers = &marquee_protocol,
};

// MARK: - nchan

static void nchan_connected(struct connection *connection) { load_send_text(connection, REQUEST("/home", "")); }

static void take_update(struct connection *connection, const uint8_t *payload, size_t count) {
    (void)payload;
    if (count != UPDATE_BYTES) load_fail("an update of %zu bytes", count);
    load_delivered(connection, connection->through + 1);
}

static size_t nchan_receive(struct connection *connection, const uint8_t *bytes, size_t count) {
    static const char *const FIELDS[] = {ACCEPT, NULL};
    return receive(connection, bytes, count, FIELDS, SOCKET_TEXT, load_ready, take_update);
}

const struct protocol nchan_socket_protocol = {
    .name = "nchan-socket", .connected = nchan_connected, .receive = nchan_receive,
    .publishers = &nchan_publisher_protocol,
};

// MARK: - FanoutLimit

static void raw_take(struct connection *connection, const uint8_t *payload, size_t count) {
    (void)payload;
    // With its header it has as many bytes as without messages.
    if (count != UPDATE_BYTES - 4) load_fail("an update of %zu bytes", count);
    load_delivered(connection, connection->through + 1);
}

// Greeted as without messages.
static size_t raw_receive(struct connection *connection, const uint8_t *bytes, size_t count) {
    size_t used = connection->answered ? 0 : 1;
    connection->answered = true;
    load_ready(connection);
    return used + take_messages(connection, bytes + used, count - used, SOCKET_BINARY, raw_take);
}

static void raw_connected(struct connection *connection) { raw_protocol.connected(connection); }

const struct protocol raw_socket_protocol = {
    .name = "raw-socket", .connected = raw_connected, .receive = raw_receive, .publishers = &raw_protocol,
};
