// Just enough of Proto/PROTOCOL.md for a subscriber, a publisher and a user. What is received is counted and
// acknowledged as the protocol demands, and its positions and sums are read; its content isn't checked, as that would
// be the client's work. All subscribers show the same view, so what one of them was given is what all of them hold.
#include "load.h"
#include "protobuf.h"
#include "xxh64.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

enum kind {
    HELLO = 1, WELCOME = 2, PING = 3, PONG = 4, PROGRESS = 5, ACK = 6, GO_AWAY = 7, CLOSE = 8, SUBSCRIBE = 16,
    SUBSCRIPTION_ERROR = 18, JOIN = 19, REPAIR = 21, REBASE = 22, MANIFEST = 23, DATA = 32, STAGE = 33, REQUEST = 48,
    ANSWER = 49,
};
enum { FIRST = 2, LAST = 4, HEADER_BYTES = 12, MESSAGE_BYTES = 2048, CLIENT_ID_BYTES = 16 };
// In flight at once, by the protocol's limits.
enum { CALLS = 16 };
enum { METHOD_HEALTH = 1, METHOD_GET = 3, METHOD_SEARCH = 4, METHOD_COLLECTION = 5, METHOD_PUBLISH = 6 };
// A frame of about UPDATE_BYTES carries so much of a text; the rest is its header, sums and positions.
enum { TEXT_BYTES = 144 };
// Records that users keep as favorites, in turn.
enum { RECORDS = 20 };
static const uint64_t CREDIT = 1 << 20;

// Items whose manifest fits into a message, and bytes of a section's id.
enum { ITEMS = 120, PAIR_BYTES = 16, ID_BYTES = 64 };

const char *screen = "home";
uint32_t changed_records = 1;
bool subscribers_return;

// The catalogue's revision before the first publication: welcome has told it to the publisher.
static uint64_t base_revision;
static bool knows_base;
static bool awaits_health;

// What a manifest says of a section, or of the view's own list.
struct list {
    uint64_t handle, sum, head_hash;
    size_t items;
    uint8_t pairs[ITEMS * PAIR_BYTES];
};

// What the first subscriber was given when it came. Others have the same, or the benchmark fails.
static struct {
    bool known;
    uint64_t epoch, revision;
    char section[ID_BYTES];
    struct list view, items;
} held;

uint64_t marquee_publications(uint64_t revision) {
    if (!knows_base) load_fail("a publisher has to connect first");
    return revision > base_revision ? revision - base_revision : 0;
}

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

// A new one for each connection and each run of this program: a server that knows a client expects the numbers of its
// changes to go on where they ended.
static void client_id(const struct connection *connection, uint8_t id[CLIENT_ID_BYTES]) {
    static uint64_t run;
    if (!run) run = now_nanoseconds();
    memset(id, 0, CLIENT_ID_BYTES);
    memcpy(id + 8, &run, sizeof run);
    id[0] = connection->role + 1;
    memcpy(id + 4, &connection->index, sizeof connection->index);
}

static void connected(struct connection *connection) {
    struct message hello = {0};
    put_number(&hello, 1, 1);
    put_number(&hello, 2, 1);
    if (connection->role == ROLE_PUBLISHER || connection->role == ROLE_USER) {
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
    if (subscribers_return && connection->role == ROLE_SUBSCRIBER) {
        if (!held.known) load_fail("nobody was given anything to return with");
        struct message resume = {0}, cut = {0}, section = {0};
        put_fixed(&cut, 1, held.epoch);
        put_number(&cut, 2, held.revision);
        put_bytes(&resume, 1, cut.bytes, cut.count);
        put_fixed(&resume, 2, held.view.sum);
        put_text(&section, 1, held.section);
        put_fixed(&section, 2, held.items.sum);
        put_bytes(&resume, 3, section.bytes, section.count);
        put_bytes(&message, 6, resume.bytes, resume.count);
    }
    send_frame(connection, SUBSCRIBE, &message);
}

static void send_manifest(struct connection *connection, uint64_t handle, const struct list *list) {
    struct message manifest = {0};
    put_number(&manifest, 1, handle);
    put_fixed(&manifest, 2, list->sum);
    put_fixed(&manifest, 3, list->head_hash);
    put_bytes(&manifest, 4, list->pairs, list->items * PAIR_BYTES);
    send_frame(connection, MANIFEST, &manifest);
}

static void acknowledge(struct connection *connection) {
    struct message cut = {0}, ack = {0};
    put_number(&cut, 2, connection->revision);
    put_number(&ack, 1, connection->counted);
    if (connection->revision > 0) put_bytes(&ack, 2, cut.bytes, cut.count);
    connection->acknowledged = connection->counted;
    send_frame(connection, ACK, &ack);
}

static void request(struct connection *connection, unsigned method, const struct message *body) {
    struct message message = {0};
    put_number(&message, 1, ++connection->number);
    put_number(&message, 2, method);
    put_bytes(&message, 5, body->bytes, body->count);
    send_frame(connection, REQUEST, &message);
}

static void publish(struct connection *publisher, uint64_t number) {
    static const char TAIL[] = "\"}}}";
    uint8_t change[80 + TEXT_BYTES + sizeof TAIL];
    size_t length = (size_t)sprintf(
        (char *)change, "{\"merge\":{\"type\":\"movie\",\"id\":\"%u\",\"record\":{\"overview\":\"",
        (unsigned)(number % changed_records) + 1);
    fill_text(change + length, TEXT_BYTES, number);
    memcpy(change + length + TEXT_BYTES, TAIL, sizeof TAIL - 1);
    length += TEXT_BYTES + sizeof TAIL - 1;
    struct message body = {0};
    put_number(&body, 1, number);
    put_number(&body, 4, 0);
    put_number(&body, 5, 1);
    put_bytes(&body, 6, change, length);
    request(publisher, METHOD_PUBLISH, &body);
}

static void health(struct connection *publisher) {
    struct message body = {0};
    awaits_health = true;
    request(publisher, METHOD_HEALTH, &body);
}

static void call(struct connection *caller, bool searches) {
    char text[32];
    // A new text each time, so that the server has no answer ready.
    snprintf(text, sizeof text, "ation %u", (unsigned)(caller->number % 1000));
    struct message body = {0};
    put_text(&body, 1, searches ? text : screen);
    request(caller, searches ? METHOD_SEARCH : METHOD_GET, &body);
}

static void favorite(struct connection *user) {
    // Puts all records in, then takes all out, and so on: each one is a change.
    char subject[32];
    snprintf(subject, sizeof subject, "movie/%u", (unsigned)(user->number % RECORDS) + 1);
    bool member = user->number / RECORDS % 2 == 0;
    struct message body = {0};
    put_number(&body, 1, user->number + 1);
    put_number(&body, 2, user->number);
    put_text(&body, 3, subject);
    put_number(&body, 4, member);
    request(user, METHOD_COLLECTION, &body);
}

// MARK: - Receiving

static void moved(struct connection *connection, struct field cut) {
    struct field revision = find_field(cut.bytes, cut.count, 2);
    if (revision.found && revision.number > connection->revision) connection->revision = revision.number;
    struct field user = find_field(cut.bytes, cut.count, 4);
    if (user.found && user.number > connection->user_revision) connection->user_revision = user.number;
}

// Of a screen with several sections, the first one is followed.
static void joined(struct connection *connection, const uint8_t *body, size_t count) {
    struct field binding = find_field(body, count, 5);
    connection->handle = find_field(binding.bytes, binding.count, 2).number;
    connection->sum = find_field(binding.bytes, binding.count, 3).number;
}

static void patched(struct connection *connection, const uint8_t *body, size_t count) {
    if (find_field(body, count, 1).number != connection->handle || find_field(body, count, 9).number) return;
    struct field base = find_field(body, count, 2);
    if (base.found && base.number != connection->sum) load_fail("a patch from a version that was not given");
    connection->sum = find_field(body, count, 3).number;
}

// MARK: - What is held

static bool learns(const struct connection *connection) {
    return !held.known && connection->role == ROLE_SUBSCRIBER && connection->index == 0;
}

// The view's own list is staged before its section.
static void learn_staged(unsigned flags, const uint8_t *body, size_t count) {
    uint64_t handle = find_field(body, count, 1).number;
    struct list *list = held.view.handle == 0 || held.view.handle == handle ? &held.view : &held.items;
    if (flags & FIRST) {
        struct field change = find_field(body, count, 7), head = find_field(change.bytes, change.count, 1);
        *list = (struct list){.handle = handle, .sum = find_field(body, count, 3).number};
        list->head_hash = xxh64(head.bytes, head.count);
    }
    size_t at = 0;
    unsigned number = 0;
    for (struct field item; (item = next_field(body, count, &at, &number)).found;) {
        if (number != 5) continue;
        if (list->items == ITEMS) {
            list->sum = 0;
            return;
        }
        struct field id = find_field(item.bytes, item.count, 1), content = find_field(item.bytes, item.count, 4);
        uint64_t pair[] = {xxh64(id.bytes, id.count), xxh64(content.bytes, content.count)};
        memcpy(list->pairs + list->items++ * PAIR_BYTES, pair, sizeof pair);
    }
}

// Screens of several sections or of more items can't be returned to, nor one that changed while it was given.
static void learn_joined(const struct connection *connection, unsigned flags, const uint8_t *body, size_t count) {
    struct field binding = find_field(body, count, 5), section = find_field(binding.bytes, binding.count, 1);
    bool whole = flags & LAST && section.count < ID_BYTES && connection->sum == held.items.sum
        && find_field(body, count, 4).number == held.view.sum;
    if (!whole) return;
    memcpy(held.section, section.bytes, section.count);
    struct field cut = find_field(body, count, 6);
    held.epoch = find_field(cut.bytes, cut.count, 1).number;
    held.revision = find_field(cut.bytes, cut.count, 2).number;
    held.known = true;
}

static void describe_held(struct connection *connection, const uint8_t *body, size_t count) {
    size_t at = 0;
    unsigned number = 0;
    for (struct field section; (section = next_field(body, count, &at, &number)).found;) {
        if (number != 3) continue;
        bool items = find_field(section.bytes, section.count, 1).found;
        uint64_t handle = find_field(section.bytes, section.count, 2).number;
        send_manifest(connection, handle, items ? &held.items : &held.view);
    }
}

static void arrived(struct connection *connection) {
    if (connection->role == ROLE_USER) load_shown(connection, connection->user_revision - connection->user_base);
    load_delivered(connection, marquee_publications(connection->revision));
}

static void end_of_cut(struct connection *connection) {
    if (connection->stage == 1) return;
    if (!connection->ready) {
        connection->user_base = connection->user_revision;
        load_ready(connection);
    }
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
    case ROLE_VISITOR: load_ready(connection); break;
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
        load_content(connection, HEADER_BYTES + count);
    }
    switch (kind) {
    case WELCOME: welcomed(connection, body, count); break;
    case JOIN:
        connection->stage = 2;
        moved(connection, find_field(body, count, 6));
        joined(connection, body, count);
        if (learns(connection)) learn_joined(connection, flags, body, count);
        if (flags & LAST) end_of_cut(connection);
        break;
    case DATA:
        moved(connection, find_field(body, count, 10));
        patched(connection, body, count);
        if (flags & LAST) end_of_cut(connection);
        break;
    case STAGE:
        if (learns(connection)) learn_staged(flags, body, count);
        break;
    case REBASE: describe_held(connection, body, count); break;
    case PROGRESS:
        load_progress(connection);
        moved(connection, find_field(body, count, 1));
        acknowledge(connection);
        if (connection->ready) arrived(connection);
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
        if (awaits_health && connection->role == ROLE_PUBLISHER) {
            struct field answer = find_field(body, count, 3);
            awaits_health = false;
            load_counted(
                find_field(answer.bytes, answer.count, 3).number, find_field(answer.bytes, answer.count, 7).number);
            break;
        }
        // Only the last part of an answer counts.
        if (!find_field(body, count, 4).number) load_answered(connection);
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

const struct protocol marquee_protocol = {
    .name = "marquee", .connected = connected, .receive = receive, .publish = publish, .favorite = favorite,
    .health = health, .call = call, .conflates = true, .unanswered = CALLS, .application = "marquee/1",
};
