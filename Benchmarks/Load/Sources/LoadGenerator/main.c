// Loads one server with subscribers, publications and users, all from one process, and says what they received and what
// the server spent. Commands come on standard input, one a line; each is answered by one line of JSON.
//
//   LoadGenerator PROTOCOL PORT PID [SCREEN [AUTHORITY]]
//
// Protocols are marquee, raw, redis, nats, mqtt, grpc and http; marquee-socket, raw-socket and nchan-socket, in
// WebSocket messages; marquee-events and nchan-events, server-sent.
//
// With an authority, a PEM file, connections are made with TLS.
//
//   connect COUNT AT-ONCE          so many more subscribers, of which so many are on their way at a time
//   return COUNT AT-ONCE           the same, with what the very first subscriber was given when it came
//   visit COUNT AT-ONCE            so many connections that end once the server has greeted them, so many at a time
//   visits PER-SECOND AT-ONCE      the same over and over, until `enough`; 0 a second: without a pause
//   revisit COUNT AT-ONCE          the same, each with a TLS ticket that an earlier one was given
//   door PORT                      subscribers connect to this port, publishers to that of the server
//   stall COUNT                    so many subscribers are not read any more
//   stalled                        fails unless these are still connected, and something waits for them
//   leave                          all connections end at once
//   server PORT PID                new connections go to this one: it has been started again, or is another one
//   users COUNT                    so many users, each with its collections
//   rest SECONDS                   serves connections and sends nothing of its own
//   paced COUNT PER-SECOND         publications; 0 a second: each when everybody has the one before
//   full SECONDS WINDOW            publications for so long, of which so many are not answered yet
//   storm COUNT WINDOW             so many publications, as fast as those before are answered, until everybody has all
//   spread COUNT                   publications change so many records in turn, and not one alone
//   health                         what the server says it has counted
//   favorites SECONDS              each user's next favorite when the last one has been answered; 0: until `enough`
//   calls get|search AT-ONCE       the next one when one of so many has been answered, until `enough`
//   enough                         ends that, `visits` or endless `favorites`; not answered itself
#define _GNU_SOURCE
#include "measure.h"
#include "tls.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum {
    SUBSCRIBERS = 1 << 16,
    USERS = 1024,
    PUBLISHERS = 64,
    VISITORS = 1024,
    // Updates that a subscriber of a server which sends them all may be behind: further ones wait.
    BEHIND = 128,
    COMMAND_BYTES = 256,
};
static struct connection *publishers[PUBLISHERS], *users[USERS], *subscribers[SUBSCRIBERS];
static uint32_t subscriber_count, user_count, publisher_count, stalled_count;
// Subscribers that are read.
static uint32_t readers(void) { return subscriber_count - stalled_count; }

// As many as are needed for so many unanswered publications.
static void connect_publishers(uint32_t window) {
    uint32_t allowed = publishers_protocol()->unanswered, each = allowed > 0 ? allowed : window;
    if (window > each * PUBLISHERS) load_fail("a window of %u is too large", window);
    while (publisher_count * each < window) {
        struct start start = begin();
        struct connection *publisher = load_connect(ROLE_PUBLISHER, publisher_count);
        while (!publisher->ready) step(start, 100, "connecting");
        load.ready--;
        publishers[publisher_count++] = publisher;
    }
}

// Fails unless all show the same version.
static void check_same_sums(void) {
    for (uint32_t index = 1; index < readers(); index++)
        if (subscribers[index]->sum != subscribers[0]->sum) load_fail("subscribers show different versions");
}

static struct start connect_subscribers(uint32_t count, uint32_t at_once) {
    connect_publishers(1);
    struct start start = begin();
    uint32_t first = subscriber_count, wanted = load.ready + count;
    while (load.ready < wanted) {
        uint32_t waiting = subscriber_count - first - (load.ready - (wanted - count));
        while (subscriber_count - first < count && waiting < at_once) {
            subscribers[subscriber_count] = load_connect(ROLE_SUBSCRIBER, subscriber_count);
            subscriber_count++;
            waiting++;
        }
        step(start, 100, "connecting");
    }
    return start;
}

static void return_subscribers(uint32_t count, uint32_t at_once) {
    if (!load.protocol->health || subscriber_count > 0) load_fail("nobody has left");
    subscribers_return = true;
    struct start start = connect_subscribers(count, at_once);
    subscribers_return = false;
    check_same_sums();
    end(start);
}

// Those that came last. Nobody waits for what they don't read.
static void stall(uint32_t count) {
    struct start start = begin();
    for (uint32_t index = 0; index < count; index++) {
        stalled_count++;
        load_stall(subscribers[subscriber_count - stalled_count]);
    }
    end(start);
}

static void check_stalled(void) {
    for (uint32_t index = readers(); index < subscriber_count; index++)
        if (!load_is_stalled(subscribers[index])) load_fail("a subscriber that isn't read has nothing to read, or is gone");
}

static void leave(void) {
    if (user_count > 0) load_fail("users stay");
    struct start start = begin();
    for (uint32_t index = 0; index < subscriber_count; index++) load_disconnect(subscribers[index]);
    for (uint32_t index = 0; index < publisher_count; index++) load_disconnect(publishers[index]);
    subscriber_count = publisher_count = stalled_count = load.ready = 0;
    end(start);
}

static void visit(uint32_t count, uint32_t at_once) {
    struct connection *visitors[VISITORS] = {0};
    struct start start = begin();
    uint32_t come = 0, gone = 0;
    while (gone < count) {
        for (uint32_t place = 0; place < at_once; place++) {
            if (visitors[place] && visitors[place]->ready) {
                load_disconnect(visitors[place]);
                visitors[place] = NULL;
                gone++;
            }
            if (!visitors[place] && come < count) visitors[place] = load_connect(ROLE_VISITOR, come++);
        }
        if (gone < count) step(start, 100, "visiting");
    }
    end(start);
}

static void visits(double per_second, uint32_t at_once) {
    struct connection *visitors[VISITORS] = {0};
    struct start start = begin();
    uint64_t pause = per_second > 0 ? (uint64_t)(1e9 / per_second) : 0, due = start.time;
    uint32_t come = 0, gone = 0;
    bool is_told = false;
    while (!is_told || gone < come) {
        for (uint32_t place = 0; place < at_once; place++) {
            if (visitors[place] && visitors[place]->ready) {
                load_disconnect(visitors[place]);
                visitors[place] = NULL;
                gone++;
            }
            if (!visitors[place] && !is_told && now_nanoseconds() >= due) {
                visitors[place] = load_connect(ROLE_VISITOR, come++);
                due += pause;
            }
        }
        is_told |= step(start, 1, "visiting");
    }
    end(start);
}

static void revisit(uint32_t count, uint32_t at_once) {
    if (!load.secure) load_fail("without TLS there are no tickets");
    load.resumes = true;
    visit(count, at_once);
    load.resumes = false;
}

static void connect_users(uint32_t count) {
    if (!load.protocol->favorite || user_count + count > USERS) load_fail("so many users can't be");
    connect_publishers(1);
    struct start start = begin();
    uint32_t wanted = load.ready + count;
    for (uint32_t index = 0; index < count; index++) {
        users[user_count] = load_connect(ROLE_USER, user_count);
        user_count++;
    }
    while (load.ready < wanted) step(start, 100, "connecting");
    end(start);
}

static void rest(double seconds) {
    struct start start = begin();
    uint64_t until = start.time + (uint64_t)(seconds * 1e9);
    while (now_nanoseconds() < until) step(start, 10, "resting");
    end(start);
}

static void publish_next(void) {
    load.published++;
    load.published_at[load.published] = now_nanoseconds();
    struct connection *publisher = publishers[0];
    for (uint32_t index = 1; index < publisher_count; index++)
        if (publishers[index]->waiting < publisher->waiting) publisher = publishers[index];
    publisher->waiting++;
    publisher->protocol->publish(publisher, load.published);
}

static void check_room(uint32_t count) {
    if (load.published + count > PUBLICATIONS) load_fail("so many publications can't be");
}

static void paced(uint32_t count, double per_second) {
    check_room(count);
    connect_publishers(1);
    struct start start = begin();
    for (uint32_t index = 0; index < count; index++) {
        uint64_t due = per_second > 0 ? start.time + (uint64_t)(index / per_second * 1e9) : 0;
        for (uint64_t now = now_nanoseconds(); now < due; now = now_nanoseconds())
            step(start, (int)((due - now) / 1000000), "publishing");
        load.complete = 0;
        load.target = load.published + 1;
        publish_next();
        while (per_second == 0 && load.complete < readers()) step(start, 100, "publishing");
    }
    while (load.complete < readers() || load.answers < count) step(start, 100, "waiting for deliveries");
    check_same_sums();
    end(start);
}

// Whether another publication may go, with those since `first` that aren't answered or delivered yet.
static bool may_publish(uint64_t first, uint32_t window) {
    uint64_t published = load.published - first;
    return published - load.answers < window
        && (load.protocol->conflates
            || published * readers() - load.updates < (uint64_t)BEHIND * readers());
}

// As many as may go, up to number `end`.
static void publish_allowed(uint64_t first, uint32_t window, uint64_t end) {
    load.gathers = true;
    while (load.published < end && may_publish(first, window)) publish_next();
    load.gathers = false;
    for (uint32_t index = 0; index < publisher_count; index++) load_flush(publishers[index]);
}

static void full(double seconds, uint32_t window) {
    check_room(window);
    connect_publishers(window);
    struct start start = begin();
    uint64_t first = load.published, until = start.time + (uint64_t)(seconds * 1e9);
    while (now_nanoseconds() < until && load.published < PUBLICATIONS - window) {
        publish_allowed(first, window, PUBLICATIONS - window);
        step(start, 10, "publishing");
    }
    // The last one, which everybody has to get.
    while (load.published - first - load.answers >= window) step(start, 100, "waiting for answers");
    load.complete = 0;
    load.target = load.published + 1;
    publish_next();
    while (load.complete < readers() || load.answers < load.published - first)
        step(start, 100, "waiting for deliveries");
    check_same_sums();
    end(start);
}

static void storm(uint32_t count, uint32_t window) {
    check_room(count);
    connect_publishers(window);
    struct start start = begin();
    uint64_t first = load.published;
    load.target = first + count;
    while (load.answers < count || load.complete < readers()) {
        publish_allowed(first, window, load.target);
        step(start, 10, "publishing");
    }
    check_same_sums();
    end(start);
}

static void health(void) {
    if (!publishers_protocol()->health) load_fail("%s has no health", load.protocol->name);
    connect_publishers(1);
    struct start start = begin();
    load.counted = false;
    publishers[0]->protocol->health(publishers[0]);
    while (!load.counted) step(start, 100, "asking");
    printf("{\"sessions\": %llu, \"encodes\": %llu}\n", (unsigned long long)load.sessions,
           (unsigned long long)load.encodes);
    fflush(stdout);
}

static void favorites(double seconds) {
    struct start start = begin();
    uint64_t until = start.time + (uint64_t)(seconds * 1e9);
    load.asking = true;
    for (uint32_t index = 0; index < user_count; index++) ask(users[index]);
    bool is_told = false;
    while (seconds > 0 ? now_nanoseconds() < until : !is_told) is_told = step(start, 10, "favorites");
    load.asking = false;
    // Counted with those that were asked before the end.
    uint64_t answered = load.answers;
    while (load.answers < answered + user_count) step(start, 100, "favorites");
    end(start);
}

static void calls(bool searches, uint32_t at_once) {
    if (!publishers_protocol()->call) load_fail("%s has no calls", load.protocol->name);
    connect_publishers(at_once);
    struct start start = begin();
    uint64_t asked = 0;
    bool is_told = false;
    while (!is_told || load.answers < asked) {
        for (uint32_t index = 0; !is_told && index < publisher_count; index++) {
            for (; publishers[index]->waiting < at_once / publisher_count; publishers[index]->waiting++) {
                publishers[index]->protocol->call(publishers[index], searches);
                asked++;
            }
        }
        is_told |= step(start, 10, "calling");
    }
    end(start);
}

// MARK: - Commands

static void done(void) {
    printf("{}\n");
    fflush(stdout);
}

static void run(const char *command) {
    uint32_t count, other;
    double number;
    if (sscanf(command, "connect %u %u", &count, &other) == 2 && subscriber_count + count <= SUBSCRIBERS && other > 0) {
        end(connect_subscribers(count, other));
    } else if (sscanf(command, "return %u %u", &count, &other) == 2 && count <= SUBSCRIBERS && other > 0) {
        return_subscribers(count, other);
    } else if (sscanf(command, "visit %u %u", &count, &other) == 2 && other > 0 && other <= VISITORS) {
        visit(count, other);
    } else if (sscanf(command, "visits %lf %u", &number, &other) == 2 && other > 0 && other <= VISITORS) {
        visits(number, other);
    } else if (sscanf(command, "calls get %u", &count) == 1 && count > 0) {
        calls(false, count);
    } else if (sscanf(command, "calls search %u", &count) == 1 && count > 0) {
        calls(true, count);
    } else if (sscanf(command, "revisit %u %u", &count, &other) == 2 && other > 0 && other <= VISITORS) {
        revisit(count, other);
    } else if (sscanf(command, "stall %u", &count) == 1 && count <= readers()) {
        stall(count);
    } else if (strcmp(command, "stalled\n") == 0) {
        check_stalled();
        done();
    } else if (sscanf(command, "door %u", &count) == 1) {
        load.door = (uint16_t)count;
        done();
    } else if (strcmp(command, "leave\n") == 0) {
        leave();
    } else if (sscanf(command, "server %u %u", &count, &other) == 2) {
        use_server((uint16_t)count, (pid_t)other);
        done();
    } else if (sscanf(command, "storm %u %u", &count, &other) == 2 && count > 0) {
        storm(count, other);
    } else if (sscanf(command, "spread %u", &count) == 1 && count > 0) {
        changed_records = count;
        done();
    } else if (strcmp(command, "health\n") == 0) {
        health();
    } else if (sscanf(command, "users %u", &count) == 1) {
        connect_users(count);
    } else if (sscanf(command, "rest %lf", &number) == 1) {
        rest(number);
    } else if (sscanf(command, "paced %u %lf", &count, &number) == 2) {
        paced(count, number);
    } else if (sscanf(command, "full %lf %u", &number, &other) == 2) {
        full(number, other);
    } else if (sscanf(command, "favorites %lf", &number) == 1) {
        favorites(number);
    } else if (strcmp(command, "enough\n") != 0) {
        load_fail("no such command: %s", command);
    }
}

static const struct protocol *find_protocol(const char *name) {
    const struct protocol *const all[] = {
        &marquee_protocol, &raw_protocol, &redis_protocol, &nats_protocol, &mqtt_protocol, &grpc_protocol,
        &http_protocol, &marquee_socket_protocol, &marquee_events_protocol, &raw_socket_protocol,
        &nchan_socket_protocol, &nchan_events_protocol,
    };
    for (size_t index = 0; index < sizeof all / sizeof *all; index++)
        if (strcmp(all[index]->name, name) == 0) return all[index];
    load_fail("no such protocol: %s", name);
}

int main(int count, char **arguments) {
    if (count < 4) {
        fprintf(stderr, "usage: LoadGenerator PROTOCOL PORT PID [SCREEN [AUTHORITY]]\n");
        return 64;
    }
    load.protocol = find_protocol(arguments[1]);
    use_server((uint16_t)atoi(arguments[2]), atoi(arguments[3]));
    if (count > 4) screen = arguments[4];
    if (count > 5) tls_use(arguments[5]);
    // Whoever started this may be gone without having been able to say so.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);

    load.poller = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    if (load.poller < 0 || epoll_ctl(load.poller, EPOLL_CTL_ADD, STDIN_FILENO, &event) < 0) load_fail("epoll");
    char command[COMMAND_BYTES];
    size_t length = 0;
    while (true) {
        // Between commands connections are served, so that nobody is taken for dead.
        if (!turn(-1)) continue;
        // A byte at a time: the next line has to stay in the pipe, where `enough` is seen.
        if (length == sizeof command - 1) load_fail("a command of more than %zu bytes", length);
        if (read(STDIN_FILENO, command + length, 1) <= 0) return 0;
        command[++length] = 0;
        if (command[length - 1] != '\n') continue;
        run(command);
        length = 0;
    }
}
