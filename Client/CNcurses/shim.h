// What Swift can't call of ncurses: macros, the global window, and calls with an extended colour pair.
#pragma once

#define NCURSES_WIDECHAR 1
#include <ncurses.h>
#include <stdlib.h>

/// Takes over the terminal. Unlike `initscr` it comes back when it can't. 0 on success.
static inline int marquee_curses_open(void) {
    if (newterm(NULL, stdout, stdin) == NULL) { return -1; }
    cbreak();
    noecho();
    nonl();
    intrflush(stdscr, FALSE);
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(25);
    curs_set(0);
    if (has_colors()) {
        start_color();
        use_default_colors();
    }
    return 0;
}

/// Reads a key without waiting. ERR, OK (a character) or KEY_CODE_YES (a function key).
static inline int marquee_curses_read(unsigned int *key) {
    wint_t value = 0;
    int result = get_wch(&value);
    *key = (unsigned int)value;
    return result;
}

static inline void marquee_curses_size(int *columns, int *rows) {
    getmaxyx(stdscr, *rows, *columns);
}

static inline void marquee_curses_put(int column, int row, const char *text) {
    mvaddstr(row, column, text);
}

/// Attributes and a colour pair for what is written next.
static inline void marquee_curses_style(int bold, int dim, int underline, int reverse, int pair) {
    attr_t attributes = A_NORMAL;
    if (bold) { attributes |= A_BOLD; }
    if (dim) { attributes |= A_DIM; }
    if (underline) { attributes |= A_UNDERLINE; }
    if (reverse) { attributes |= A_REVERSE; }
    attr_set(attributes, 0, &pair);
}

static inline int marquee_curses_colors(void) { return has_colors() ? COLORS : 0; }
static inline int marquee_curses_pairs(void) { return has_colors() ? COLOR_PAIRS : 0; }

/// A string of the terminal's description, such as what ends the full screen; NULL where it has none.
static inline const char *marquee_curses_capability(const char *name) {
    extern char *tigetstr(const char *);
    const char *text = tigetstr((char *)name);
    return text == (const char *)-1 ? NULL : text;
}

/// Draws everything anew, as after something else has written to the terminal.
static inline void marquee_curses_redraw(void) { clearok(stdscr, TRUE); }

/// Whether the locale has characters beyond a byte.
static inline int marquee_curses_is_wide(void) { return MB_CUR_MAX > 1; }

/// Whether the terminal that the environment names is known and can place its cursor.
static inline int marquee_curses_is_capable(void) {
    extern int setupterm(const char *, int, int *);
    int result = 0;
    if (setupterm(NULL, 1, &result) != 0 || result != 1) { return 0; }
    return marquee_curses_capability("cup") != NULL;
}
