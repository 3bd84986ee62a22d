/* The benchmark on a real board. It waits for a key, times every row, and reports over the serial line: each
 * line is a JSON object, '*' and the CRC-16 of the object in four hexadecimal digits
 * (src/serbench/kinds/board/line.py reads them). Whether what came out is right is decided by the host. */
#include <Arduino.h>

#include "bench.h"
#include "firmware.h"

extern "C" {
#include "heap.h"
}

#define PROTOCOL 1
#define BAUD 115200
#define REPEATS 100
#define READY_EVERY 1000 /* milliseconds between two signs of life */

#ifndef FW_CORE
#define FW_CORE "unknown"
#endif

sb_hash fw_sum;
const sb_value *bench_tree;

static uint16_t crc;

/* CRC-16 with the polynomial 0x1021, most significant bit first, beginning with 0. */
static void put(char c) {
    crc ^= (uint16_t)((uint8_t)c << 8);
    for (uint8_t bit = 0; bit < 8; bit++)
        crc = (uint16_t)((crc & 0x8000) != 0 ? (crc << 1) ^ 0x1021 : crc << 1);
    Serial.write((uint8_t)c);
}

static void put_text(const char *text) {
    while (*text != '\0') put(*text++);
}

static void put_hex(uint32_t number, uint8_t digits) {
    while (digits-- > 0) put("0123456789abcdef"[(number >> (4 * digits)) & 15]);
}

static void put_number(uint32_t number) {
    char digits[11];
    uint8_t at = sizeof digits - 1;
    digits[at] = '\0';
    do digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    put_text(digits + at);
}

/* A string of JSON; what would need an escape becomes a blank. */
static void put_string(const char *text) {
    put('"');
    for (; *text != '\0'; text++)
        put(*text < ' ' || *text == '"' || *text == '\\' || *text > '~' ? ' ' : *text);
    put('"');
}

static void put_field(const char *name, uint32_t number) {
    put_text(",\"");
    put_text(name);
    put_text("\":");
    put_number(number);
}

static void begin_line(const char *kind) {
    crc = 0;
    put_text("{\"kind\":");
    put_string(kind);
}

static void end_line() {
    put('}');
    uint16_t sum = crc;
    put('*');
    put_hex(sum, 4);
    put('\n');
}

/* Called by the hash for every number, while numbers are asked for: its bits as a 32-bit float. */
void sb_numbers_add(sb_numbers *numbers, double number) {
    float narrow = (float)number;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    if (numbers->count++ > 0) put(',');
    put_number(bits);
}

/* What was found out of a row: microseconds of the first call and of REPEATS further ones, and memory. */
struct figures {
    uint32_t first, total, memory, hash;
    size_t size;
};

static uint32_t sum_of(const char *data, size_t size) {
    uint32_t sum = 0;
    for (size_t i = 0; i < size; i++) sum = sum * 31u + (uint8_t)data[i];
    return sum;
}

/* Returns what went wrong, or "". The document of the last call stays. */
static const char *time_reading(const bench_row *row, figures *found) {
    const bench_library *library = row->library;
    for (uint16_t n = 0; n <= REPEATS; n++) {
        fw_sum = sb_hash_start(true);
        uint32_t began = micros();
        bool good = library->read(row->document->input, row->document->size);
        uint32_t took = micros() - began;
        if (!good || !library->walk()) return n == 0 ? "read-first" : "read-again";
        if (n == 0) {
            found->first = took;
            found->hash = fw_sum.state;
            found->memory = (uint32_t)(fw_heap_peak() + library->pool());
        } else {
            found->total += took;
        }
        if (fw_sum.state != found->hash) return "read-differs";
        if (n < REPEATS) library->release();
        yield(); /* what else the chip has to do: its watchdog, its radio */
    }
    return "";
}

static const char *time_writing(const bench_row *row, figures *found) {
    const bench_library *library = row->library;
    for (uint16_t n = 0; n <= REPEATS; n++) {
        uint32_t began = micros();
        size_t size = library->write(bench_output, bench_output_size);
        uint32_t took = micros() - began;
        if (size == 0 || size > bench_output_size) return n == 0 ? "write-first" : "write-again";
        uint32_t hash = sum_of(bench_output, size);
        if (n == 0) {
            found->first = took;
            found->size = size;
            found->hash = hash;
            found->memory = (uint32_t)(fw_heap_peak() + library->pool());
        } else {
            found->total += took;
        }
        if (size != found->size || hash != found->hash) return "write-differs";
        yield();
    }
    return "";
}

static void put_figures(const char *name, const figures *found) {
    put_text(",\"");
    put_text(name);
    put_text("\":{\"first\":");
    put_number(found->first);
    put_field("total", found->total);
    put_field("memory", found->memory);
    put('}');
}

static void measure(uint16_t number, const bench_row *row) {
    const bench_library *library = row->library;
    figures reading = {}, writing = {};
    bench_tree = row->document->tree;
    fw_heap_reset();
    const char *failed = time_reading(row, &reading);
    if (*failed == '\0') {
        fw_heap_reset();
        failed = time_writing(row, &writing);
    }
    library->release();
    begin_line("row");
    put_field("number", number);
    put_text(",\"library\":");
    put_string(library->id);
    put_text(",\"format\":");
    put_string(library->format);
    put_text(",\"document\":");
    put_text(row->document->name);
    put_text(",\"version\":");
    put_string(library->version());
    put_field("repeats", REPEATS);
    put_figures("read", &reading);
    put_figures("write", &writing);
    put_text(",\"exact\":\"");
    put_hex(reading.hash, 8);
    put_text("\",\"output\":\"");
    for (size_t i = 0; i < writing.size; i++) put_hex((uint8_t)bench_output[i], 2);
    put_text("\",\"numbers\":[");
    sb_numbers numbers = {nullptr, 0, 0};
    fw_sum = sb_hash_start(false);
    fw_sum.seen = &numbers;
    bool good =
        *failed == '\0' && library->read(row->document->input, row->document->size) && library->walk();
    fw_sum.seen = nullptr;
    library->release();
    put_text("],\"content\":\"");
    put_hex(fw_sum.state, 8);
    put_text("\",\"failed\":");
    put_string(*failed == '\0' && !good ? "read-third" : failed);
    end_line();
}

static void run() {
    begin_line("begin");
    put_text(",\"board\":");
    put_string(FW_BOARD);
    put_text(",\"core\":");
    put_string(FW_CORE);
    put_text(",\"compiler\":");
    put_string("gcc " __VERSION__);
    put_field("rows", bench_row_count);
    end_line();
    for (uint16_t number = 0; number < bench_row_count; number++) measure(number, &bench_rows[number]);
    begin_line("end");
    end_line();
}

void setup() { Serial.begin(BAUD); }

void loop() {
    static uint32_t last;
    if (Serial.available() > 0) {
        while (Serial.available() > 0) (void)Serial.read();
        run();
    } else if (last == 0 || millis() - last >= READY_EVERY) {
        begin_line("ready");
        put_field("protocol", PROTOCOL);
        end_line();
        last = millis();
        if (last == 0) last = 1;
    }
    delay(10);
}
