/* What a target gives the firmware: platforms/<name>/board.c. */
#ifndef SERBENCH_BOARD_H
#define SERBENCH_BOARD_H

#include <stdint.h>

/* Sends one character to the host. */
void board_put(char c);

/* Ends the emulation. */
void board_stop(void) __attribute__((noreturn));

/* The lowest address that the stack may take: what follows the program's data. */
uintptr_t board_stack_limit(void);

#endif
