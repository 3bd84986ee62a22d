#include "board.h"
#include "document.h"
#include "firmware.h"
#include "heap.h"
#include "marker.h"

/* Calls the contender's two functions, counted, and reports in lines of text what came out: the host
 * (src/serbench/firmware/report.py) decides whether it is right. The counted regions are, in this order:
 * two empty ones, the first and the repeated fw_read, the first and the repeated fw_write. */

#define PAINT 0xA5
#define STACK_MARGIN 32 /* bytes below this frame that painting itself may use */

sb_hash fw_sum;

static void put_text(const char *text) {
    while (*text != '\0') board_put(*text++);
}

static void put_hex(uint32_t number, unsigned char digits) {
    while (digits-- > 0) board_put("0123456789abcdef"[(number >> (4 * digits)) & 15]);
}

static void put_line(const char *name, uint32_t number) {
    put_text(name);
    put_hex(number, 8);
    board_put('\n');
}

static void fail(const char *what) {
    put_text("failed ");
    put_text(what);
    board_put('\n');
    board_stop();
}

/* Called by the hash for every number, while numbers are asked for: its bits as a 32-bit float. */
void sb_numbers_add(sb_numbers *numbers, double number) {
    float narrow = (float)number;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    numbers->count++;
    put_line("number ", bits);
}

/* The stack grows downwards on all targets: everything below this frame is painted, ... */
__attribute__((noinline)) static uintptr_t paint(void) {
    volatile unsigned char here = 0;
    uintptr_t top = (uintptr_t)&here;
    for (uintptr_t at = board_stack_limit(); at + STACK_MARGIN < top; at++)
        *(volatile unsigned char *)at = PAINT;
    return top;
}

/* ... and what has another colour afterwards was used. */
__attribute__((noinline)) static uint32_t stack_used(uintptr_t top) {
    uintptr_t at = board_stack_limit();
    while (at < top && *(volatile unsigned char *)at == PAINT) at++;
    return (uint32_t)(top - at);
}

static void read_counted(const char *failure) {
    fw_sum = sb_hash_start(true);
    fw_begin();
    bool good = fw_read(fw_input, fw_input_size);
    fw_end();
    if (!good || !fw_walk()) fail(failure);
}

static size_t write_counted(const char *failure) {
    fw_begin();
    size_t size = fw_write(fw_output, fw_output_size);
    fw_end();
    if (size == 0 || size > fw_output_size) fail(failure);
    return size;
}

static void measure_reading(void) {
    uintptr_t top = paint();
    read_counted("read-first");
    put_line("room ", (uint32_t)(top - board_stack_limit()));
    put_line("read-stack ", stack_used(top));
    put_line("read-heap ", (uint32_t)(fw_heap_peak() + fw_pool()));
    put_line("exact ", fw_sum.state);
    uint32_t first = fw_sum.state;
    fw_release();
    read_counted("read-again");
    if (fw_sum.state != first) fail("read-differs");
    fw_release();

    sb_numbers numbers = {NULL, 0, 0};
    fw_sum = sb_hash_start(false);
    fw_sum.seen = &numbers;
    if (!fw_read(fw_input, fw_input_size) || !fw_walk()) fail("read-third");
    fw_sum.seen = NULL;
    put_line("content ", fw_sum.state);
}

/* The document of the last fw_read is still there. */
static void measure_writing(void) {
    fw_heap_reset();
    uintptr_t top = paint();
    size_t size = write_counted("write-first");
    put_line("write-stack ", stack_used(top));
    put_line("write-heap ", (uint32_t)(fw_heap_peak() + fw_pool()));
    uint32_t first = 0;
    for (size_t i = 0; i < size; i++) first = first * 31u + (unsigned char)fw_output[i];
    if (write_counted("write-again") != size) fail("write-differs");
    uint32_t second = 0;
    for (size_t i = 0; i < size; i++) second = second * 31u + (unsigned char)fw_output[i];
    if (first != second) fail("write-differs");
    put_text("output ");
    for (size_t i = 0; i < size; i++) put_hex((unsigned char)fw_output[i], 2);
    board_put('\n');
}

int main(void) {
    for (unsigned char i = 0; i < 2; i++) {
        fw_begin();
        fw_end();
    }
    put_text("version ");
    put_text(fw_version());
    board_put('\n');
    measure_reading();
    measure_writing();
    put_text("end\n");
    board_stop();
}
