#include <qcbor/qcbor_decode.h>
#include <serbench/reader.h>

/* Hashes the next item, and returns how deep the one after it stands: no deeper than 0 after an error. */
static uint8_t element(QCBORDecodeContext *decode, sb_hash *h) {
    QCBORItem item;
    QCBORDecode_VGetNext(decode, &item);
    if (QCBORDecode_GetError(decode) != QCBOR_SUCCESS) return 0;
    if (item.uLabelType == QCBOR_TYPE_TEXT_STRING)
        sb_hash_str(h, item.label.string.ptr, item.label.string.len);
    uint8_t next = item.uNextNestLevel;
    size_t count = 0;
    switch (item.uDataType) {
        case QCBOR_TYPE_NULL: sb_hash_nil(h); break;
        case QCBOR_TYPE_FALSE: sb_hash_bool(h, false); break;
        case QCBOR_TYPE_TRUE: sb_hash_bool(h, true); break;
        case QCBOR_TYPE_INT64: sb_hash_i64(h, item.val.int64); break;
        case QCBOR_TYPE_UINT64: sb_hash_u64(h, item.val.uint64); break;
        case QCBOR_TYPE_DOUBLE: sb_hash_f64(h, item.val.dfnum); break;
        case QCBOR_TYPE_TEXT_STRING: sb_hash_str(h, item.val.string.ptr, item.val.string.len); break;
        case QCBOR_TYPE_ARRAY:
        case QCBOR_TYPE_MAP:
            for (; next > item.uNestingLevel; count++) next = element(decode, h);
            sb_hash_count(h, count);
            break;
        default: QCBORDecode_SetError(decode, QCBOR_ERR_UNEXPECTED_TYPE);
    }
    return next;
}

bool sb_read(char *data, size_t size, sb_hash *h) {
    QCBORDecodeContext decode;
    QCBORDecode_Init(&decode, (UsefulBufC){data, size}, QCBOR_DECODE_MODE_MAP_STRINGS_ONLY);
    (void)element(&decode, h);
    const QCBORError error = QCBORDecode_Finish(&decode);
    return error == QCBOR_SUCCESS || sb_fail("%s", qcbor_err_to_str(error));
}

const char *sb_library_version(void) {
    return SB_VERSION_3(QCBOR_VERSION_MAJOR, QCBOR_VERSION_MINOR, QCBOR_VERSION_PATCH);
}
