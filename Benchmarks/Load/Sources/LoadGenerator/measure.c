// What a step takes: time, the server's CPU time, and its memory.
#define _GNU_SOURCE
#include "measure.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { STEP_SECONDS = 300 };
static const uint64_t SECOND = 1000000000;

static pid_t server;
static clockid_t server_clock;

void use_server(uint16_t port, pid_t process) {
    load.port = port;
    server = process;
    if (clock_getcpuclockid(server, &server_clock) != 0) load_fail("there is no process %d", server);
}

// CPU time of all threads of the server, those that have ended included.
static uint64_t server_nanoseconds(void) {
    struct timespec time;
    if (clock_gettime(server_clock, &time) < 0) load_fail("the server is gone");
    return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

static uint64_t resident_bytes(void) {
    char path[64];
    unsigned long long all = 0, resident = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", server);
    FILE *file = fopen(path, "r");
    if (!file || fscanf(file, "%llu %llu", &all, &resident) != 2) load_fail("%s can't be read", path);
    fclose(file);
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

// The most that was resident since `forget_peak`, or since the server began where that isn't allowed.
static uint64_t peak_bytes(void) {
    char path[64], line[256];
    unsigned long long kibibytes = 0;
    snprintf(path, sizeof path, "/proc/%d/status", server);
    FILE *file = fopen(path, "r");
    if (!file) load_fail("%s can't be read", path);
    while (fgets(line, sizeof line, file) && sscanf(line, "VmHWM: %llu", &kibibytes) != 1) {}
    fclose(file);
    return kibibytes << 10;
}

static void forget_peak(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/clear_refs", server);
    FILE *file = fopen(path, "w");
    if (!file) return;
    fputs("5", file);
    fclose(file);
}

struct start begin(void) {
    load.deliveries = load.updates = load.bytes = load.content = load.answers = load.complete = 0;
    load.progress = load.answered_at = load.resumed = 0;
    forget_peak();
    load.latencies = load.shown = (struct histogram){0};
    return (struct start){now_nanoseconds(), server_nanoseconds(), resident_bytes()};
}

void end(struct start start) {
    printf(
        "{\"seconds\": %.6f, \"cpu_us\": %.1f, \"resident_before\": %llu, \"resident\": %llu, "
        "\"resident_peak\": %llu, \"deliveries\": %llu, \"updates\": %llu, \"bytes\": %llu, \"content_bytes\": %llu, "
        "\"progress\": %llu, \"answers\": %llu, \"resumed\": %llu, \"answered_seconds\": %.6f, \"p50_us\": %.1f, "
        "\"p99_us\": %.1f, \"longest_us\": %.1f, \"shown\": %llu, \"shown_p50_us\": %.1f, \"shown_p99_us\": %.1f, "
        "\"shown_longest_us\": %.1f}\n",
        (double)(now_nanoseconds() - start.time) / 1e9, (double)(server_nanoseconds() - start.cpu) / 1e3,
        (unsigned long long)start.resident, (unsigned long long)resident_bytes(), (unsigned long long)peak_bytes(),
        (unsigned long long)load.deliveries, (unsigned long long)load.updates, (unsigned long long)load.bytes,
        (unsigned long long)load.content, (unsigned long long)load.progress,
        (unsigned long long)load.answers, (unsigned long long)load.resumed,
        load.answers > 0 ? (double)(load.answered_at - start.time) / 1e9 : 0,
        histogram_percentile(&load.latencies, 0.5) / 1e3, histogram_percentile(&load.latencies, 0.99) / 1e3,
        histogram_percentile(&load.latencies, 1) / 1e3, (unsigned long long)load.shown.count,
        histogram_percentile(&load.shown, 0.5) / 1e3, histogram_percentile(&load.shown, 0.99) / 1e3,
        histogram_percentile(&load.shown, 1) / 1e3);
    fflush(stdout);
}

bool step(struct start start, int milliseconds, const char *what) {
    bool has_command = turn(milliseconds);
    if (now_nanoseconds() - start.time > STEP_SECONDS * SECOND) load_fail("%s: not done in time", what);
    return has_command;
}
