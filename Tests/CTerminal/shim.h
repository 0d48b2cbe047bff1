// A terminal for tests: libvterm emulates one, and the system's calls that make a pseudo-terminal, which Swift's Glibc leaves out.
#pragma once

#include <stddef.h>
#include <vterm.h>

/// Makes a pseudo-terminal whose other end can be opened.
/// - flags: as of `open`.
/// - name: gets the path of the other end.
/// Returns a descriptor, or -1 with `errno`.
static inline int marquee_pseudo_terminal(int flags, char *name, size_t size) {
    extern int posix_openpt(int);
    extern int grantpt(int);
    extern int unlockpt(int);
    extern int ptsname_r(int, char *, size_t);
    extern int close(int);
    int descriptor = posix_openpt(flags);
    if (descriptor < 0) { return -1; }
    if (grantpt(descriptor) != 0 || unlockpt(descriptor) != 0 || ptsname_r(descriptor, name, size) != 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}
