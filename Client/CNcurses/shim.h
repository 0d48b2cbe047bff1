// The parts of ncurses that Swift can't call: macros and the global window.
#pragma once

#define NCURSES_WIDECHAR 1
#include <ncurses.h>
#include <stdlib.h>

/// Takes over the terminal. Unlike `initscr` it returns if it can't. 0 on success.
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

/// The number of colours in the terminal's description; 0 if it has none.
static inline int marquee_curses_colors(void) {
    extern int tigetnum(const char *);
    int colors = tigetnum((char *)"colors");
    return colors > 0 ? colors : 0;
}

/// Whether a character in the last column leaves the cursor there until the next one is written.
static inline int marquee_curses_wraps_late(void) {
    extern int tigetflag(const char *);
    return tigetflag((char *)"xenl") == 1;
}

/// A string from the terminal's description, such as the one that leaves full-screen mode; NULL if it has none.
static inline const char *marquee_curses_capability(const char *name) {
    extern char *tigetstr(const char *);
    const char *text = tigetstr((char *)name);
    return text == (const char *)-1 ? NULL : text;
}

/// Empties the screen, for instance after something else has written to it.
static inline void marquee_curses_redraw(void) {
    clearok(stdscr, TRUE);
    refresh();
}

/// Whether the locale has multibyte characters.
static inline int marquee_curses_is_wide(void) { return MB_CUR_MAX > 1; }

/// Whether the terminal named by the environment is known and moves its cursor with ANSI sequences.
static inline int marquee_curses_is_capable(void) {
    extern int setupterm(const char *, int, int *);
    int result = 0;
    if (setupterm(NULL, 1, &result) != 0 || result != 1) { return 0; }
    const char *cup = marquee_curses_capability("cup");
    return cup != NULL && cup[0] == 0x1B && cup[1] == '[';
}
