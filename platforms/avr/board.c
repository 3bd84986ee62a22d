#include "board.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

extern char __heap_start; /* by the linker: where the program's data end */

void board_put(char c) { GPIOR0 = (uint8_t)c; }

/* Asleep with interrupts off is the emulator's sign that the program has ended. */
void board_stop(void) {
    cli();
    for (;;) sleep_mode();
}

uintptr_t board_stack_limit(void) { return (uintptr_t)&__heap_start; }
