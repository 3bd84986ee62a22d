/* Any bytes as a file of messages: as a framed one if they begin like that, otherwise as JSON Lines. */
#include "importing.h"

extern "C" {
#include "message_file.h"
}

static void read_framed(const char *data, size_t size) {
    uint32_t count = 0;
    if (size >= 12) std::memcpy(&count, data + 8, sizeof count);
    sb_span *spans = sb_message_spans(data, size, count);
    sb_hash h = sb_hash_start(true);
    for (uint32_t i = 0; spans != nullptr && i < count; i++)
        sb_hash_str(&h, data + spans[i].offset, spans[i].size);
    std::free(spans);
}

static void read_lines(const char *data, size_t size) {
    sb_text text = {nullptr, data, size};
    sb_refusal refusal = {};
    uint32_t count = 0;
    sb_tape tape;
    sb_tape_begin(&tape);
    size_t place = sb_tape_open(&tape, SB_ARRAY);
    bool imported = import_lines(&tape, text, &count, &refusal);
    sb_tape_end(&tape, place, count);
    check_import(imported, &tape, refusal, size);
    sb_tape_free(&tape);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = reinterpret_cast<const char *>(data);
    const size_t magic = sizeof SB_MESSAGES_MAGIC - 1;
    bool framed = size >= magic && std::memcmp(text, SB_MESSAGES_MAGIC, magic) == 0;
    (framed ? read_framed : read_lines)(text, size);
    return 0;
}
