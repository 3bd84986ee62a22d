#include <qcbor/qcbor_encode.h>
#include <serbench/writer.h>
#include <stdlib.h>

static void put_text(QCBOREncodeContext *encode, const char *text, size_t length) {
    QCBOREncode_AddText(encode, (UsefulBufC){text, length});
}

/* An error stays in the context and turns the later calls into nothing, so it is asked for at the end. */
static void put(QCBOREncodeContext *encode, const sb_value *value) {
    switch ((sb_type)value->type) {
        case SB_NIL: QCBOREncode_AddNULL(encode); return;
        case SB_BOOL: QCBOREncode_AddBool(encode, value->as.boolean); return;
        case SB_I64: QCBOREncode_AddInt64(encode, value->as.i64); return;
        case SB_U64: QCBOREncode_AddUInt64(encode, value->as.u64); return;
        case SB_F64: QCBOREncode_AddDouble(encode, value->as.f64); return;
        case SB_STR: put_text(encode, value->as.str, value->length); return;
        case SB_ARRAY:
            QCBOREncode_OpenArray(encode);
            for (uint32_t i = 0; i < value->length; i++) put(encode, &value->as.items[i]);
            QCBOREncode_CloseArray(encode);
            return;
        case SB_MAP:
            QCBOREncode_OpenMap(encode);
            for (uint32_t i = 0; i < value->length; i++) {
                const sb_member *member = &value->as.members[i];
                put_text(encode, member->key, member->key_length);
                put(encode, &member->value);
            }
            QCBOREncode_CloseMap(encode);
            return;
    }
}

bool sb_write(const sb_value *root, sb_output *out) {
    QCBOREncodeContext encode;
    UsefulBufC encoded = NULLUsefulBufC;
    size_t size;
    QCBOREncode_Init(&encode, SizeCalculateUsefulBuf);
    put(&encode, root);
    QCBORError error = QCBOREncode_FinishGetSize(&encode, &size);
    if (error != QCBOR_SUCCESS) return sb_fail("%s", qcbor_err_to_str(error));
    void *buffer = malloc(size);
    if (buffer == NULL) return sb_fail("out of memory");
    QCBOREncode_Init(&encode, (UsefulBuf){buffer, size});
    put(&encode, root);
    error = QCBOREncode_Finish(&encode, &encoded);
    if (error == QCBOR_SUCCESS) sb_output_block(out, encoded.ptr, encoded.len);
    free(buffer);
    return error == QCBOR_SUCCESS || sb_fail("%s", qcbor_err_to_str(error));
}

const char *sb_library_version(void) {
    return SB_VERSION_3(QCBOR_VERSION_MAJOR, QCBOR_VERSION_MINOR, QCBOR_VERSION_PATCH);
}
