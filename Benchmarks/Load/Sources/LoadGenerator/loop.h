// The generator's own state: what connections have received since the last command began.
#pragma once
#include "histogram.h"
#include "load.h"

// Publications of one run.
enum { PUBLICATIONS = 1 << 20 };

struct load {
    const struct protocol *protocol;
    uint16_t port;
    uint16_t door;          // where subscribers connect; 0: to the same port as publishers
    bool secure;            // connections are made with TLS
    bool resumes;           // each with a ticket that an earlier one was given
    int poller;
    uint64_t now;           // when the bytes being handled were read
    uint32_t connecting;    // not connected yet
    uint32_t ready;         // subscribed, or ready to publish
    uint64_t published;     // number of the newest publication
    uint64_t published_at[PUBLICATIONS + 1];
    uint64_t answers;       // of publications and of users' mutations
    uint64_t answered_at;   // when the last one came
    uint64_t target;        // the publication that everybody is to have
    uint64_t complete;      // subscribers that have it
    uint64_t deliveries;    // messages, or cuts
    uint64_t updates;       // publications that they carried
    uint64_t bytes;         // that subscribers received
    uint64_t content;       // Marquee: of these, those of patches and snapshots
    uint64_t progress;      // Marquee: messages to subscribers that only say how far the server is
    bool counted;           // the server has said the next two
    uint64_t sessions, encodes;
    bool asking;            // users go on when they have been answered
    uint64_t resumed;       // TLS handshakes that a ticket made short
    bool gathers;           // what is sent over TLS waits for `load_flush`
    struct histogram latencies;
    struct histogram shown; // from a user's call to its effect in what the user shows
};

extern struct load load;

// Sends what was gathered in as few TLS records as it fits into: TCP does that by itself for plain connections.
void load_flush(struct connection *connection);
const struct protocol *publishers_protocol(void);
struct connection *load_connect(enum role role, uint32_t index);
// Reads nothing from it any more.
void load_stall(struct connection *connection);
// Whether one that isn't read is still there, with bytes that wait for it.
bool load_is_stalled(const struct connection *connection);
// Without a word, as when the power fails.
void load_disconnect(struct connection *connection);
// Lets a user's next mutation go.
void ask(struct connection *user);
// Waits for what comes and handles it. Returns whether a command has arrived.
bool turn(int milliseconds);
