#include <time.h>

// glibc declares it for _XOPEN_SOURCE alone, which Swift's own modules are built without.
char *strptime(const char *text, const char *format, struct tm *time);
