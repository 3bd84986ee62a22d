#include <qcbor/qcbor_decode.h>
#include <qcbor/qcbor_spiffy_decode.h>
#include <serbench/lookup.h>

/* Goes on from the start of an array to one of its elements. */
static void skip(QCBORDecodeContext *decode, uint64_t elements) {
    QCBORItem item;
    for (; elements > 0 && QCBORDecode_GetError(decode) == QCBOR_SUCCESS; elements--)
        QCBORDecode_VGetNextConsume(decode, &item);
}

/* Enters what a step leads to, a map if the step behind it is a key. */
static void enter(QCBORDecodeContext *decode, const sb_value *step, bool map) {
    if (step->type == SB_STR) {
        if (map)
            QCBORDecode_EnterMapFromMapSZ(decode, step->as.str);
        else
            QCBORDecode_EnterArrayFromMapSZ(decode, step->as.str);
    } else {
        skip(decode, step->as.u64);
        if (map)
            QCBORDecode_EnterMap(decode, NULL);
        else
            QCBORDecode_EnterArray(decode, NULL);
    }
}

static void find(QCBORDecodeContext *decode, const sb_path *path, QCBORItem *item) {
    const sb_value *steps = path->steps;
    if (path->length == 0) {
        QCBORDecode_VGetNext(decode, item);
        return;
    }
    if (steps[0].type == SB_STR)
        QCBORDecode_EnterMap(decode, NULL);
    else
        QCBORDecode_EnterArray(decode, NULL);
    for (uint32_t i = 0; i + 1 < path->length; i++) enter(decode, &steps[i], steps[i + 1].type == SB_STR);
    const sb_value *last = &steps[path->length - 1];
    if (last->type == SB_STR) {
        QCBORDecode_GetItemInMapSZ(decode, last->as.str, QCBOR_TYPE_ANY, item);
    } else {
        skip(decode, last->as.u64);
        QCBORDecode_VGetNext(decode, item);
    }
}

static bool hash_scalar(const QCBORItem *item, sb_hash *h) {
    switch (item->uDataType) {
        case QCBOR_TYPE_NULL: sb_hash_nil(h); return true;
        case QCBOR_TYPE_FALSE: sb_hash_bool(h, false); return true;
        case QCBOR_TYPE_TRUE: sb_hash_bool(h, true); return true;
        case QCBOR_TYPE_INT64: sb_hash_i64(h, item->val.int64); return true;
        case QCBOR_TYPE_UINT64: sb_hash_u64(h, item->val.uint64); return true;
        case QCBOR_TYPE_DOUBLE: sb_hash_f64(h, item->val.dfnum); return true;
        case QCBOR_TYPE_TEXT_STRING: sb_hash_str(h, item->val.string.ptr, item->val.string.len); return true;
        default: return false;
    }
}

bool sb_lookup(char *data, size_t size, const sb_path *paths, size_t count, sb_hash *h) {
    for (size_t i = 0; i < count; i++) {
        QCBORDecodeContext decode;
        QCBORItem item;
        QCBORDecode_Init(&decode, (UsefulBufC){data, size}, QCBOR_DECODE_MODE_NORMAL);
        find(&decode, &paths[i], &item);
        const QCBORError error = QCBORDecode_GetError(&decode);
        if (QCBORDecode_IsUnrecoverableError(error)) return sb_fail("%s", qcbor_err_to_str(error));
        if (error != QCBOR_SUCCESS || !hash_scalar(&item, h)) return sb_missing(&paths[i]);
    }
    return true;
}

const char *sb_library_version(void) {
    return SB_VERSION_3(QCBOR_VERSION_MAJOR, QCBOR_VERSION_MINOR, QCBOR_VERSION_PATCH);
}
