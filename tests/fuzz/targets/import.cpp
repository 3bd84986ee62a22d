/* Any bytes as a JSON file. */
#include "importing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sb_text text = {nullptr, reinterpret_cast<const char *>(data), size};
    sb_refusal refusal = {};
    sb_tape tape;
    sb_tape_begin(&tape);
    bool imported = serbench::import_text(&tape, text, &refusal);
    check_import(imported, &tape, refusal, size);
    sb_tape_free(&tape);
    return 0;
}
