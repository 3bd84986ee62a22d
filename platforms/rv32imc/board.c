#include "board.h"

extern char __bss_end; /* by the C library's linker script: where the program's data end */

/* The two devices of QEMU's machine `virt` that are needed: its serial line and its switch. */
#define SERIAL ((volatile uint8_t *)0x10000000)
#define SWITCH ((volatile uint32_t *)0x00100000)
#define SWITCH_OFF 0x5555

void board_put(char c) { *SERIAL = (uint8_t)c; }

void board_stop(void) {
    for (;;) *SWITCH = SWITCH_OFF;
}

uintptr_t board_stack_limit(void) { return (uintptr_t)&__bss_end; }
