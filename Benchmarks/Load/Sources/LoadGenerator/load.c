// Connections and the loop that serves them.
#define _GNU_SOURCE
#include "loop.h"
#include "tls.h"
#include "websocket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    EVENTS = 512,
    // A message that isn't complete has less than half of it: Marquee's frames have at most 1 MiB.
    BUFFER_BYTES = 4 << 20,
    SEND_MILLISECONDS = 10000,
    // What a TLS record holds at most.
    RECORD_BYTES = 16 << 10,
    // Calls of a user whose effects may be on their way.
    ASKED = 1024,
};

struct load load;
static uint8_t buffer[BUFFER_BYTES];

void load_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "LoadGenerator: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    exit(1);
}

uint64_t now_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void fill_text(uint8_t *text, size_t count, uint64_t number) {
    static const char LETTERS[] = "etaoin shrdlu cmfwyp vbgkjq xz ";
    for (size_t place = 0; place < count; place++) {
        // The number in decimal digits comes first.
        text[place] = place < 20 ? (uint8_t)('0' + number % 10) : (uint8_t)LETTERS[(place + number) % 31];
        if (place < 20) number /= 10;
    }
}

static void send_all(struct connection *connection, const void *bytes, size_t count) {
    const uint8_t *rest = bytes;
    while (count > 0) {
        ssize_t sent = connection->tls ? tls_send(connection, rest, count)
                                       : send(connection->descriptor, rest, count, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EAGAIN) {
            struct pollfd writable = {.fd = connection->descriptor, .events = POLLOUT};
            if (poll(&writable, 1, SEND_MILLISECONDS) != 1) load_fail("the server takes nothing");
        } else if (sent < 0) {
            load_fail("the server is gone: %s", strerror(errno));
        } else {
            rest += sent;
            count -= (size_t)sent;
        }
    }
}

void load_flush(struct connection *connection) {
    send_all(connection, connection->gathered, connection->gathered_length);
    connection->gathered_length = 0;
}

static void gather(struct connection *connection, const void *bytes, size_t count) {
    if (count > RECORD_BYTES) load_fail("a message of %zu bytes", count);
    if (!connection->gathered) connection->gathered = malloc(RECORD_BYTES);
    if (!connection->gathered) load_fail("no memory");
    if (connection->gathered_length + count > RECORD_BYTES) load_flush(connection);
    memcpy(connection->gathered + connection->gathered_length, bytes, count);
    connection->gathered_length += (uint32_t)count;
}

void load_send(struct connection *connection, const void *bytes, size_t count) {
    uint8_t message[SOCKET_MESSAGE_BYTES];
    if (connection->in_messages) {
        count = socket_message(message, SOCKET_BINARY, bytes, count);
        bytes = message;
    }
    if (load.gathers && connection->tls) {
        gather(connection, bytes, count);
    } else {
        send_all(connection, bytes, count);
    }
}

void load_send_text(struct connection *connection, const char *text) {
    load_send(connection, text, strlen(text));
}

void load_send_update(
    struct connection *publisher, uint64_t number, const void *head, size_t head_bytes, size_t update_bytes,
    const char *tail) {
    uint8_t message[512];
    memcpy(message, head, head_bytes);
    fill_text(message + head_bytes, update_bytes, number);
    memcpy(message + head_bytes + update_bytes, tail, strlen(tail));
    load_send(publisher, message, head_bytes + update_bytes + strlen(tail));
}

void load_ready(struct connection *connection) {
    if (connection->ready) return;
    connection->ready = true;
    if (connection->role == ROLE_VISITOR) {
        load.answers++;
        load.answered_at = load.now;
        histogram_add(&load.latencies, load.now - connection->asked_at);
        return;
    }
    connection->through = load.published;
    load.ready++;
}

void load_delivered(struct connection *connection, uint64_t through) {
    if (connection->role != ROLE_SUBSCRIBER || through <= connection->through) return;
    if (through > load.published) load_fail("a delivery of what was not published yet");
    load.deliveries++;
    load.updates += through - connection->through;
    connection->through = through;
    load.complete += through == load.target;
    histogram_add(&load.latencies, load.now - load.published_at[through]);
}

void load_answered(struct connection *connection) {
    load.answers++;
    load.answered_at = load.now;
    if (connection->role == ROLE_PUBLISHER) connection->waiting--;
    if (connection->role != ROLE_USER) return;
    histogram_add(&load.latencies, load.now - connection->asked_at);
    if (load.asking) ask(connection);
}

void load_content(const struct connection *connection, size_t count) {
    load.content += connection->role == ROLE_SUBSCRIBER ? count : 0;
}

void load_progress(const struct connection *connection) {
    load.progress += connection->role == ROLE_SUBSCRIBER ? 1 : 0;
}

void load_counted(uint64_t sessions, uint64_t encodes) {
    load.counted = true;
    load.sessions = sessions;
    load.encodes = encodes;
}

void load_shown(struct connection *user, uint64_t through) {
    if (through > user->asks) load_fail("a change that nobody asked for");
    while (user->shown < through)
        if (user->asks - ++user->shown < ASKED) histogram_add(&load.shown, load.now - user->asked[user->shown % ASKED]);
}

void ask(struct connection *user) {
    user->asked_at = now_nanoseconds();
    user->asked[++user->asks % ASKED] = user->asked_at;
    user->protocol->favorite(user);
}

// MARK: - Connections

static void register_writes(struct connection *connection, int operation, bool writes) {
    struct epoll_event event = {.events = EPOLLIN | (writes ? EPOLLOUT : 0), .data.ptr = connection};
    if (epoll_ctl(load.poller, operation, connection->descriptor, &event) < 0)
        load_fail("epoll_ctl: %s", strerror(errno));
}

const struct protocol *publishers_protocol(void) {
    return load.protocol->publishers ? load.protocol->publishers : load.protocol;
}

struct connection *load_connect(enum role role, uint32_t index) {
    struct connection *connection = calloc(1, sizeof *connection);
    if (!connection) load_fail("no memory");
    connection->role = (uint8_t)role;
    connection->protocol = role == ROLE_PUBLISHER ? publishers_protocol() : load.protocol;
    connection->index = index;
    if (role == ROLE_VISITOR) connection->asked_at = now_nanoseconds();
    if (role == ROLE_USER && !(connection->asked = calloc(ASKED, sizeof *connection->asked))) load_fail("no memory");
    connection->descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (connection->descriptor < 0) load_fail("socket: %s", strerror(errno));
    int on = 1;
    setsockopt(connection->descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    // No port is left waiting after the end.
    struct linger linger = {.l_onoff = 1, .l_linger = 0};
    setsockopt(connection->descriptor, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
    uint16_t port = role == ROLE_SUBSCRIBER && load.door > 0 ? load.door : load.port;
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (connect(connection->descriptor, (struct sockaddr *)&address, sizeof address) < 0 && errno != EINPROGRESS)
        load_fail("connect: %s", strerror(errno));
    register_writes(connection, EPOLL_CTL_ADD, true);
    load.connecting++;
    return connection;
}

void load_disconnect(struct connection *connection) {
    if (connection->tls) tls_end(connection);
    close(connection->descriptor);
    free(connection->partial);
    free(connection->gathered);
    free(connection->asked);
    free(connection);
}

void load_stall(struct connection *connection) {
    if (epoll_ctl(load.poller, EPOLL_CTL_DEL, connection->descriptor, NULL) < 0)
        load_fail("epoll_ctl: %s", strerror(errno));
}

bool load_is_stalled(const struct connection *connection) {
    struct tcp_info info;
    socklen_t length = sizeof info;
    int unread = 0;
    if (getsockopt(connection->descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) < 0
        || ioctl(connection->descriptor, FIONREAD, &unread) < 0)
        load_fail("a stalled connection: %s", strerror(errno));
    return info.tcpi_state == TCP_ESTABLISHED && unread > 0;
}

// Returns whether more may be there that no event would tell of: TLS reads ahead.
static bool readable(struct connection *connection) {
    size_t have = connection->partial_length;
    memcpy(buffer, connection->partial, have);
    ssize_t count = connection->tls ? tls_receive(connection, buffer + have, BUFFER_BYTES - have)
                                    : recv(connection->descriptor, buffer + have, BUFFER_BYTES - have, 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    if (count < 0) load_fail("recv: %s", strerror(errno));
    if (count == 0) load_fail("the server closed a connection");
    load.bytes += connection->role == ROLE_SUBSCRIBER ? (uint64_t)count : 0;
    load.now = now_nanoseconds();
    have += (size_t)count;
    size_t used = connection->protocol->receive(connection, buffer, have);
    free(connection->partial);
    connection->partial = NULL;
    connection->partial_length = (uint32_t)(have - used);
    if (have == used) return connection->tls;
    if (have - used > BUFFER_BYTES / 2) load_fail("a message that doesn't end");
    connection->partial = malloc(have - used);
    if (!connection->partial) load_fail("no memory");
    memcpy(connection->partial, buffer + used, have - used);
    return connection->tls;
}

static void established(struct connection *connection) {
    load.connecting--;
    connection->protocol->connected(connection);
}

static void secure(struct connection *connection) {
    if (!tls_handshake(connection)) return;
    connection->secured = true;
    established(connection);
    // What the server sent right behind its part of the handshake has been read with it, and no event tells of it.
    while (readable(connection)) {}
}

static void connected(struct connection *connection) {
    int error = 0;
    socklen_t length = sizeof error;
    getsockopt(connection->descriptor, SOL_SOCKET, SO_ERROR, &error, &length);
    if (error != 0) load_fail("connect: %s", strerror(error));
    register_writes(connection, EPOLL_CTL_MOD, false);
    if (load.secure) {
        tls_begin(connection);
        secure(connection);
    } else {
        established(connection);
    }
}

bool turn(int milliseconds) {
    struct epoll_event events[EVENTS];
    int count = epoll_wait(load.poller, events, EVENTS, milliseconds);
    bool command = false;
    for (int index = 0; index < count; index++) {
        struct connection *connection = events[index].data.ptr;
        if (!connection) {
            command = true;
        } else if (events[index].events & EPOLLOUT) {
            connected(connection);
        } else if (load.secure && !connection->secured) {
            secure(connection);
        } else {
            while (readable(connection)) {}
        }
    }
    return command;
}
