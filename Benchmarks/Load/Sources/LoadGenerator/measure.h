// What a step of the generator takes. A step begins, takes turns, and ends with a line of JSON.
#pragma once
#include "loop.h"

#include <sys/types.h>

struct start {
    uint64_t time, cpu, resident;
};

// Whom connections are made to, and whose time is measured.
void use_server(uint16_t port, pid_t process);
// Forgets what was received before.
struct start begin(void);
void end(struct start start);
// One turn, of a step that began at `start`. Returns whether there is a command.
bool step(struct start start, int milliseconds, const char *what);
