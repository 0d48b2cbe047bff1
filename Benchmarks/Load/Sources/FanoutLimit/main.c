// The physical limit of fan-out: the least that a server can do for one update and N subscribers. It knows no sessions,
// no credit, no catalogue and no checks: it copies what a publisher sends to everybody else.
//
//   FanoutLimit one        one send for each subscriber and update
//   FanoutLimit all        one send for each subscriber, of all updates that are waiting
//   FanoutLimit messages   as `one`, and each update is a WebSocket message
//
// A client's first byte says what it is: 'S', a subscriber, which is answered by 'K'; 'P', a publisher. A publisher's
// updates are four bytes of length, big endian, and so many bytes; each is answered by one byte once it has been sent.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 4096, EVENTS = 512, DESCRIPTORS = 1 << 20, RECEIVED_AT_ONCE = 64 << 10 };

// Updates that have not been sent to everybody yet. A subscriber that falls behind by more is closed.
static const uint64_t RING = 64 << 20;

enum kind { UNKNOWN, SUBSCRIBER, PUBLISHER };

struct subscriber {
    uint64_t position;  // everything before it has been sent
    int descriptor;
    uint32_t rest;      // of an update that the kernel took only a part of
};

static uint8_t *ring;        // mapped twice in a row, so that no update is torn by the end
static uint64_t received;    // bytes that publishers have sent
static uint64_t complete;    // end of the last complete update
static struct subscriber *subscribers;
static uint32_t subscriber_count;
static uint32_t *places;     // by descriptor: a subscriber's place, or what it is
static uint8_t *kinds;       // by descriptor
static int poller;
static bool one_each, in_messages;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void make_ring(void) {
    int memory = memfd_create("updates", 0);
    if (memory < 0 || ftruncate(memory, (off_t)RING) < 0) fail("memfd_create");
    ring = mmap(NULL, RING * 2, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (ring == MAP_FAILED) fail("mmap");
    for (int half = 0; half < 2; half++) {
        void *map = mmap(ring + RING * half, RING, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory, 0);
        if (map == MAP_FAILED) fail("mmap");
    }
    close(memory);
}

// The first byte of a WebSocket message of one binary frame, and the second if two bytes of length follow.
enum { BINARY = 0x82, LENGTH_16 = 126 };

// The same for an update that has become a message: its length still ends in the same place.
static uint32_t update_length(uint64_t position) {
    uint32_t length;
    memcpy(&length, ring + position % RING, sizeof length);
    return (in_messages ? ntohl(length) & UINT16_MAX : ntohl(length)) + sizeof length;
}

// Makes an update a WebSocket message: a header of four bytes takes the place of the length.
static void make_message(uint64_t position) {
    uint8_t *update = ring + position % RING;
    if (update[0] != 0 || update[1] != 0 || update_length(position) - 4 < LENGTH_16) {
        fprintf(stderr, "FanoutLimit: an update that is too long or too short for a message\n");
        exit(1);
    }
    update[0] = BINARY;
    update[1] = LENGTH_16;
}

static void watch(int operation, int descriptor, uint32_t events) {
    struct epoll_event event = {.events = events, .data.fd = descriptor};
    if (epoll_ctl(poller, operation, descriptor, &event) < 0) fail("epoll_ctl");
}

static void forget(int descriptor) {
    if (kinds[descriptor] == SUBSCRIBER) {
        uint32_t place = places[descriptor];
        subscribers[place] = subscribers[--subscriber_count];
        places[subscribers[place].descriptor] = place;
    }
    kinds[descriptor] = UNKNOWN;
    close(descriptor);
}

// Sends what lies before `end`. Returns false if the kernel has no room.
static bool send_to(struct subscriber *subscriber, uint64_t end) {
    while (subscriber->position < end) {
        uint64_t length = end - subscriber->position;
        if (one_each) length = subscriber->rest > 0 ? subscriber->rest : update_length(subscriber->position);
        ssize_t sent = send(subscriber->descriptor, ring + subscriber->position % RING, length,
                            MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0) return false;
        subscriber->position += (uint64_t)sent;
        subscriber->rest = one_each ? (uint32_t)(length - (uint64_t)sent) : 0;
        if ((uint64_t)sent < length) return false;
    }
    return true;
}

// Sends the updates up to `end` to everybody who has all those before them; the others wait for room.
static void send_to_all(uint64_t start, uint64_t end) {
    for (uint32_t place = 0; place < subscriber_count; place++) {
        struct subscriber *subscriber = &subscribers[place];
        if (subscriber->position < start || subscriber->rest > 0) continue;
        if (!send_to(subscriber, end)) watch(EPOLL_CTL_MOD, subscriber->descriptor, EPOLLIN | EPOLLOUT);
    }
}

static void publish(int publisher) {
    ssize_t count = recv(publisher, ring + received % RING, RECEIVED_AT_ONCE, MSG_DONTWAIT);
    if (count <= 0) {
        if (count == 0 || (errno != EAGAIN && errno != EINTR)) forget(publisher);
        return;
    }
    received += (uint64_t)count;
    uint64_t start = complete;
    uint32_t updates = 0;
    while (received - complete >= 4 && received - complete >= update_length(complete)) {
        uint64_t before = complete;
        if (in_messages) make_message(complete);
        complete += update_length(complete);
        updates++;
        if (one_each) send_to_all(before, complete);
    }
    if (!one_each) send_to_all(start, complete);
    // Nobody may be so far behind that what it needs is written over.
    for (uint32_t place = subscriber_count; place-- > 0;) {
        if (received - subscribers[place].position > RING - RECEIVED_AT_ONCE) {
            fprintf(stderr, "FanoutLimit: a subscriber read too slowly and was closed\n");
            forget(subscribers[place].descriptor);
        }
    }
    uint8_t answers[RECEIVED_AT_ONCE / 4] = {0};
    if (updates > 0 && send(publisher, answers, updates, MSG_NOSIGNAL) < 0) forget(publisher);
}

static void greet(int descriptor) {
    char first;
    ssize_t count = recv(descriptor, &first, 1, MSG_DONTWAIT);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) {
        forget(descriptor);
    } else if (first == 'P') {
        kinds[descriptor] = PUBLISHER;
    } else {
        kinds[descriptor] = SUBSCRIBER;
        places[descriptor] = subscriber_count;
        subscribers[subscriber_count++] = (struct subscriber){.position = complete, .descriptor = descriptor};
        if (send(descriptor, "K", 1, MSG_NOSIGNAL) != 1) forget(descriptor);
    }
}

static void handle(int descriptor, uint32_t events) {
    if (kinds[descriptor] == UNKNOWN) return greet(descriptor);
    if (kinds[descriptor] == PUBLISHER) return publish(descriptor);
    struct subscriber *subscriber = &subscribers[places[descriptor]];
    if (events & EPOLLOUT && send_to(subscriber, complete)) watch(EPOLL_CTL_MOD, descriptor, EPOLLIN);
    // A subscriber has nothing more to say but that it leaves.
    if (events & (EPOLLIN | EPOLLERR | EPOLLHUP)) forget(descriptor);
}

static void accept_all(int listener) {
    while (true) {
        int descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
        if (descriptor < 0) return;
        int on = 1;
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        watch(EPOLL_CTL_ADD, descriptor, EPOLLIN);
    }
}

int main(int count, char **arguments) {
    const char *mode = count == 2 ? arguments[1] : "";
    in_messages = strcmp(mode, "messages") == 0;
    one_each = in_messages || strcmp(mode, "one") == 0;
    if (!one_each && strcmp(mode, "all") != 0) {
        fprintf(stderr, "usage: FanoutLimit one|all|messages\n");
        return 64;
    }
    make_ring();
    subscribers = calloc(DESCRIPTORS, sizeof *subscribers);
    places = calloc(DESCRIPTORS, sizeof *places);
    kinds = calloc(DESCRIPTORS, sizeof *kinds);
    if (!subscribers || !places || !kinds) fail("calloc");

    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) < 0 || listen(listener, BACKLOG) < 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) < 0)
        fail("listen");
    poller = epoll_create1(0);
    if (poller < 0) fail("epoll_create1");
    watch(EPOLL_CTL_ADD, listener, EPOLLIN);
    printf("ready on 127.0.0.1:%d: limit\n", ntohs(address.sin_port));
    fflush(stdout);

    while (true) {
        struct epoll_event events[EVENTS];
        int ready = epoll_wait(poller, events, EVENTS, -1);
        for (int index = 0; index < ready; index++) {
            if (events[index].data.fd == listener) {
                accept_all(listener);
            } else {
                handle(events[index].data.fd, events[index].events);
            }
        }
    }
}
