// Valgrind 3.19 changes the mask that `sigsuspend` is given where it stands. libdispatch gives a constant, which is in
// memory that can't be written, so a Swift server dies. Preloaded, this gives valgrind a copy.
#define _GNU_SOURCE
#include "sigsuspend.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int sigsuspend(const sigset_t *mask) {
    sigset_t copy = *mask;
    return (int)syscall(SYS_rt_sigsuspend, &copy, _NSIG / 8);
}
