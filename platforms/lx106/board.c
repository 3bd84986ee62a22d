#include "board.h"

/* Start-up and output on QEMU's machine `sim`. The loader has put all sections in their places. */

typedef void (*initializer)(void);

extern char _bss_start, _bss_end; /* by link.ld, as are these two */
extern initializer _init_array_start[], _init_array_end[];

int main(void);

__asm__(
    ".section .literal,\"ax\"\n"
    ".section .text.start,\"ax\"\n"
    ".literal_position\n"
    ".global _start\n"
    "_start:\n"
    "    movi a1, _stack_top\n"
    "    call0 board_start\n");

__attribute__((used, noreturn)) static void start(void) __asm__("board_start");

static void start(void) {
    for (char *at = &_bss_start; at < &_bss_end; at++) *at = 0;
    for (initializer *call = _init_array_start; call < _init_array_end; call++) (*call)();
    (void)main();
    board_stop();
}

/* The simulator's system calls: number and arguments in registers from a2 on. */
static void simulator(int number, int first, const char *second, int third) {
    register int a2 __asm__("a2") = number;
    register int a3 __asm__("a3") = first;
    register const char *a4 __asm__("a4") = second;
    register int a5 __asm__("a5") = third;
    __asm__ volatile("simcall" : "+r"(a2), "+r"(a3) : "r"(a4), "r"(a5) : "memory");
}

#define EXIT 1
#define WRITE 4
#define STANDARD_OUTPUT 1

void board_put(char c) { simulator(WRITE, STANDARD_OUTPUT, &c, 1); }

void board_stop(void) {
    for (;;) simulator(EXIT, 0, 0, 0);
}

uintptr_t board_stack_limit(void) { return (uintptr_t)&_bss_end; }
