// The peers: raw bytes as FanoutLimit reads them, redis, nats and MQTT. All messages of one kind are equally long, so
// that a delivery is found without searching for its end.
#include "load.h"

#include <stdio.h>
#include <string.h>

// The topic is `home` everywhere.
enum { TOPIC_BYTES = 4 };

// Takes deliveries of `length` bytes each, as long as they begin with `first`.
static size_t take_deliveries(
    struct connection *connection, const uint8_t *bytes, size_t count, size_t length, uint8_t first) {
    size_t used = 0;
    while (count - used >= length && bytes[used] == first) {
        load_delivered(connection, connection->through + 1);
        used += length;
    }
    return used;
}

// MARK: - FanoutLimit

static void raw_connected(struct connection *connection) {
    bool publishes = connection->role == ROLE_PUBLISHER;
    load_send_text(connection, publishes ? "P" : "S");
    if (publishes) load_ready(connection);
}

static size_t raw_receive(struct connection *connection, const uint8_t *bytes, size_t count) {
    if (connection->role == ROLE_PUBLISHER) {
        for (size_t answer = 0; answer < count; answer++) load_answered(connection);
        return count;
    }
    size_t used = 0;
    if (connection->stage == 0) {
        connection->stage = 1;
        used = 1;
        load_ready(connection);
    }
    return used + take_deliveries(connection, bytes + used, count - used, UPDATE_BYTES, 0);
}

static void raw_publish(struct connection *publisher, uint64_t number) {
    const uint8_t head[4] = {0, 0, 0, UPDATE_BYTES - 4};
    load_send_update(publisher, number, head, sizeof head, UPDATE_BYTES - 4, "");
}

const struct protocol raw_protocol = {
    .name = "raw", .connected = raw_connected, .receive = raw_receive, .publish = raw_publish,
};

// MARK: - redis

static void redis_connected(struct connection *connection) {
    if (connection->role == ROLE_PUBLISHER) {
        load_ready(connection);
    } else if (connection->role == ROLE_VISITOR) {
        load_send_text(connection, "*1\r\n$4\r\nPING\r\n");
    } else {
        load_send_text(connection, "*2\r\n$9\r\nSUBSCRIBE\r\n$4\r\nhome\r\n");
    }
}

static size_t redis_receive(struct connection *connection, const uint8_t *bytes, size_t count) {
    static const char SUBSCRIBED[] = "*3\r\n$9\r\nsubscribe\r\n$4\r\nhome\r\n:1\r\n";
    static const char PONG[] = "+PONG\r\n";
    static const char MESSAGE[] = "*3\r\n$7\r\nmessage\r\n$4\r\nhome\r\n$200\r\n";
    size_t used = 0;
    if (connection->role == ROLE_PUBLISHER) {
        while (used < count) {
            const uint8_t *end = memchr(bytes + used, '\n', count - used);
            if (!end) break;
            if (bytes[used] != ':') load_fail("redis refused: %.*s", (int)(count - used), bytes + used);
            load_answered(connection);
            used = (size_t)(end - bytes) + 1;
        }
        return used;
    }
    if (connection->role == ROLE_VISITOR) {
        if (count < sizeof PONG - 1) return 0;
        if (memcmp(bytes, PONG, sizeof PONG - 1) != 0) load_fail("redis refused: %.*s", (int)count, bytes);
        load_ready(connection);
        return sizeof PONG - 1;
    }
    if (connection->stage == 0) {
        if (count < sizeof SUBSCRIBED - 1) return 0;
        if (memcmp(bytes, SUBSCRIBED, sizeof SUBSCRIBED - 1) != 0) load_fail("redis refused: %.*s", (int)count, bytes);
        connection->stage = 1;
        used = sizeof SUBSCRIBED - 1;
        load_ready(connection);
    }
    return used
        + take_deliveries(connection, bytes + used, count - used, sizeof MESSAGE - 1 + UPDATE_BYTES + 2, '*');
}

static void redis_publish(struct connection *publisher, uint64_t number) {
    static const char HEAD[] = "*3\r\n$7\r\nPUBLISH\r\n$4\r\nhome\r\n$200\r\n";
    load_send_update(publisher, number, HEAD, sizeof HEAD - 1, UPDATE_BYTES, "\r\n");
}

const struct protocol redis_protocol = {
    .name = "redis", .connected = redis_connected, .receive = redis_receive, .publish = redis_publish,
};

// MARK: - nats

static void nats_connected(struct connection *connection) {
    // A verbose server answers each command by +OK, which is what a publisher waits for.
    load_send_text(connection, connection->role == ROLE_PUBLISHER
        ? "CONNECT {\"verbose\":true,\"pedantic\":false}\r\nPING\r\n"
        : "CONNECT {\"verbose\":false,\"pedantic\":false}\r\nSUB home 1\r\nPING\r\n");
}

static size_t nats_receive(struct connection *connection, const uint8_t *bytes, size_t count) {
    static const char MESSAGE[] = "MSG home 1 200\r\n";
    const size_t length = sizeof MESSAGE - 1 + UPDATE_BYTES + 2;
    size_t used = 0;
    while (used < count) {
        size_t deliveries = take_deliveries(connection, bytes + used, count - used, length, 'M');
        used += deliveries;
        if (used == count || bytes[used] == 'M') break;
        const uint8_t *end = memchr(bytes + used, '\n', count - used);
        if (!end) break;
        switch (bytes[used]) {
        case 'I': break;  // INFO
        case '+':
            // The first one answers CONNECT.
            if (connection->ready) load_answered(connection);
            break;
        default:
            if (bytes[used] != 'P') load_fail("nats-server: %.*s", (int)(end - bytes - used), bytes + used);
            if (bytes[used + 1] == 'I') {
                load_send_text(connection, "PONG\r\n");
            } else {
                load_ready(connection);
            }
        }
        used = (size_t)(end - bytes) + 1;
    }
    return used;
}

static void nats_publish(struct connection *publisher, uint64_t number) {
    static const char HEAD[] = "PUB home 200\r\n";
    load_send_update(publisher, number, HEAD, sizeof HEAD - 1, UPDATE_BYTES, "\r\n");
}

const struct protocol nats_protocol = {
    .name = "nats", .connected = nats_connected, .receive = nats_receive, .publish = nats_publish,
};

// MARK: - MQTT 3.1.1

static void mqtt_connected(struct connection *connection) {
    // A new session, no keep-alive, and a client id of seven characters.
    uint8_t connect[] = {0x10, 19, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0};
    char id[8];
    snprintf(id, sizeof id, "%c%06u", connection->role == ROLE_PUBLISHER ? 'p' : 's', connection->index % 1000000);
    memcpy(connect + sizeof connect - 7, id, 7);
    load_send(connection, connect, sizeof connect);
    if (connection->role == ROLE_PUBLISHER) return;
    static const uint8_t SUBSCRIBE[] = {0x82, 9, 0, 1, 0, TOPIC_BYTES, 'h', 'o', 'm', 'e', 0};
    load_send(connection, SUBSCRIBE, sizeof SUBSCRIBE);
}

static size_t mqtt_receive(struct connection *connection, const uint8_t *bytes, size_t count) {
    // A header with two bytes of length, the topic, the update.
    const size_t length = 3 + 2 + TOPIC_BYTES + UPDATE_BYTES;
    size_t used = 0;
    while (true) {
        used += take_deliveries(connection, bytes + used, count - used, length, 0x30);
        if (used == count || bytes[used] == 0x30) return used;
        // All others are short.
        if (count - used < 2 || count - used < 2 + (size_t)bytes[used + 1]) return used;
        const uint8_t *packet = bytes + used;
        used += 2 + (size_t)packet[1];
        switch (packet[0]) {
        case 0x20:
            if (packet[3] != 0) load_fail("mosquitto refused the connection: %u", packet[3]);
            if (connection->role == ROLE_PUBLISHER) load_ready(connection);
            break;
        case 0x90: load_ready(connection); break;
        case 0x40: load_answered(connection); break;
        default: load_fail("mosquitto sent a packet of type %x", packet[0]);
        }
    }
}

static void mqtt_publish(struct connection *publisher, uint64_t number) {
    // With QoS 1, so that it is answered; subscribers get it with theirs, 0.
    const size_t length = 2 + TOPIC_BYTES + 2 + UPDATE_BYTES;
    const uint16_t packet = (uint16_t)(number % 65535 + 1);
    const uint8_t head[] = {
        0x32, (uint8_t)(length % 128 + 128), (uint8_t)(length / 128), 0, TOPIC_BYTES, 'h', 'o', 'm', 'e',
        (uint8_t)(packet >> 8), (uint8_t)packet,
    };
    load_send_update(publisher, number, head, sizeof head, UPDATE_BYTES, "");
}

const struct protocol mqtt_protocol = {
    .name = "mqtt", .connected = mqtt_connected, .receive = mqtt_receive, .publish = mqtt_publish,
};
