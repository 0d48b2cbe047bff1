// gRPC over HTTP/2 without TLS: one call on each connection, with windows so large that they are never used up.
#include "load.h"

#include <string.h>

enum { FRAME_HEADER_BYTES = 9, MESSAGE_PREFIX_BYTES = 5, STREAM = 1 };
enum type { DATA = 0, HEADERS = 1, RST_STREAM = 3, SETTINGS = 4, PING = 6, GO_AWAY = 7, WINDOW_UPDATE = 8 };
enum { END_STREAM = 1, ACK = 1, END_HEADERS = 4 };
enum { MESSAGE_BYTES = MESSAGE_PREFIX_BYTES + UPDATE_BYTES };

static void send_frame(
    struct connection *connection, enum type type, uint8_t flags, uint8_t stream, const void *payload, size_t count) {
    uint8_t frame[512] = {0, (uint8_t)(count >> 8), (uint8_t)count, (uint8_t)type, flags, 0, 0, 0, stream};
    if (count > sizeof frame - FRAME_HEADER_BYTES) load_fail("an HTTP/2 frame of %zu bytes", count);
    memcpy(frame + FRAME_HEADER_BYTES, payload, count);
    load_send(connection, frame, FRAME_HEADER_BYTES + count);
}

static size_t put_text(uint8_t *bytes, const char *text) {
    bytes[0] = (uint8_t)strlen(text);
    memcpy(bytes + 1, text, bytes[0]);
    return 1 + (size_t)bytes[0];
}

// HPACK without a dynamic table and without Huffman codes.
static void send_headers(struct connection *connection, const char *path) {
    uint8_t block[256];
    size_t count = 0;
    block[count++] = 0x83;  // :method POST
    block[count++] = 0x86;  // :scheme http
    block[count++] = 0x04;  // :path
    count += put_text(block + count, path);
    block[count++] = 0x01;  // :authority
    count += put_text(block + count, "127.0.0.1");
    block[count++] = 0x0f;  // content-type
    block[count++] = 0x10;
    count += put_text(block + count, "application/grpc");
    block[count++] = 0x00;
    count += put_text(block + count, "te");
    count += put_text(block + count, "trailers");
    send_frame(connection, HEADERS, END_HEADERS, STREAM, block, count);
}

static void connected(struct connection *connection) {
    static const char PREFACE[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    static const uint8_t LARGEST_WINDOW[] = {0, 4, 0x7f, 0xff, 0xff, 0xff};
    static const uint8_t INCREMENT[] = {0x7f, 0xff, 0, 0};
    static const uint8_t EMPTY_MESSAGE[MESSAGE_PREFIX_BYTES] = {0};
    load_send(connection, PREFACE, sizeof PREFACE - 1);
    send_frame(connection, SETTINGS, 0, 0, LARGEST_WINDOW, sizeof LARGEST_WINDOW);
    send_frame(connection, WINDOW_UPDATE, 0, 0, INCREMENT, sizeof INCREMENT);
    if (connection->role == ROLE_PUBLISHER) {
        send_headers(connection, "/bench.Fanout/Publish");
    } else {
        send_headers(connection, "/bench.Fanout/Subscribe");
        send_frame(connection, DATA, END_STREAM, STREAM, EMPTY_MESSAGE, sizeof EMPTY_MESSAGE);
    }
}

// The first message is empty. A subscriber's others are updates, a publisher's are answers, empty too.
static void received_data(struct connection *connection, size_t count) {
    const size_t length = connection->role == ROLE_PUBLISHER ? MESSAGE_PREFIX_BYTES : MESSAGE_BYTES;
    uint64_t before = connection->counted;
    connection->counted += count;
    if (connection->counted < MESSAGE_PREFIX_BYTES) return;
    if (!connection->ready) load_ready(connection);
    uint64_t had = before < MESSAGE_PREFIX_BYTES ? 0 : (before - MESSAGE_PREFIX_BYTES) / length;
    for (uint64_t has = (connection->counted - MESSAGE_PREFIX_BYTES) / length; had < has; had++) {
        if (connection->role == ROLE_PUBLISHER) {
            load_answered(connection);
        } else {
            load_delivered(connection, connection->through + 1);
        }
    }
}

static size_t receive(struct connection *connection, const uint8_t *bytes, size_t count) {
    size_t used = 0;
    while (count - used >= FRAME_HEADER_BYTES) {
        const uint8_t *frame = bytes + used, *payload = frame + FRAME_HEADER_BYTES;
        size_t length = (size_t)frame[0] << 16 | (size_t)frame[1] << 8 | frame[2];
        if (count - used < FRAME_HEADER_BYTES + length) break;
        used += FRAME_HEADER_BYTES + length;
        switch (frame[3]) {
        case DATA: received_data(connection, length); break;
        case HEADERS:
            if (frame[4] & END_STREAM) load_fail("the server ended a call");
            break;
        case SETTINGS:
            if (!(frame[4] & ACK)) send_frame(connection, SETTINGS, ACK, 0, payload, 0);
            break;
        case PING:
            if (!(frame[4] & ACK)) send_frame(connection, PING, ACK, 0, payload, length);
            break;
        case RST_STREAM: case GO_AWAY: load_fail("the server gave a call up (HTTP/2 frame of type %d)", frame[3]);
        default: break;
        }
    }
    return used;
}

static void publish(struct connection *publisher, uint64_t number) {
    uint8_t message[MESSAGE_BYTES] = {0, 0, 0, 0, UPDATE_BYTES};
    fill_text(message + MESSAGE_PREFIX_BYTES, UPDATE_BYTES, number);
    send_frame(publisher, DATA, 0, STREAM, message, sizeof message);
}

const struct protocol grpc_protocol = {
    .name = "grpc", .connected = connected, .receive = receive, .publish = publish,
};
