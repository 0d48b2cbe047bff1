// Terminal descriptions (terminfo), which come with ncurses, and the C library's widths of characters. The header of the former defines
// macros such as `columns` and `lines`, that of the latter leaves `wcwidth` out of Swift's reach; so the functions are declared here.
#pragma once

#include <locale.h>
#include <stddef.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

/// Reads the description of the terminal that the environment names. 0 on success.
static inline int marquee_terminal_setup(void) {
    extern int setupterm(const char *, int, int *);
    int result = 0;
    return setupterm((const char *)0, 1, &result) == 0 && result == 1 ? 0 : -1;
}

/// A string from the terminal's description, such as the one that leaves full-screen mode; NULL if it has none.
static inline const char *marquee_terminal_string(const char *name) {
    extern char *tigetstr(const char *);
    const char *text = tigetstr((char *)name);
    return text == (const char *)-1 ? (const char *)0 : text;
}

/// A number from the terminal's description; 0 if it has none.
static inline int marquee_terminal_number(const char *name) {
    extern int tigetnum(const char *);
    int number = tigetnum((char *)name);
    return number > 0 ? number : 0;
}

/// Whether the terminal's description has a property.
static inline int marquee_terminal_flag(const char *name) {
    extern int tigetflag(const char *);
    return tigetflag((char *)name) == 1;
}

/// A locale that knows the widths of all of Unicode, whatever the environment says; NULL if the system has none.
static inline void *marquee_width_locale(void) {
    locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (locale == (locale_t)0) { locale = newlocale(LC_CTYPE_MASK, "en_US.UTF-8", (locale_t)0); }
    return (void *)locale;
}

/// The columns that a character takes on a terminal, 0 to 2; -1 if the C library doesn't know it.
static inline int marquee_width(void *locale, unsigned int character) {
    extern int wcwidth(wchar_t);
    if (locale == NULL) { return -1; }
    locale_t before = uselocale((locale_t)locale);
    int width = wcwidth((wchar_t)character);
    uselocale(before);
    return width;
}
