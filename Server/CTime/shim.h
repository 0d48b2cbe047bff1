#include <time.h>

// glibc declares strptime only under _XOPEN_SOURCE, which Swift's own modules are built without.
char *strptime(const char *text, const char *format, struct tm *time);
