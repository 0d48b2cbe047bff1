// Valgrind's requests are macros, which Swift can't call. Without its headers, or outside of it, they do nothing.
#ifndef MARQUEE_CALLGRIND_SWITCH_H
#define MARQUEE_CALLGRIND_SWITCH_H

void callgrind_begin(void);
void callgrind_end(void);

#endif
