/* A serializer's iteration is a writer's (task_write.c), of documents that were made before. */
#include <stdlib.h>

#include "serbench/serializer.h"
#include "task.h"

static struct {
    void **made;
    char **copies; /* of the inputs, which documents may need as long as they are there */
    uint32_t count;
} documents;

bool sb_write(const sb_value *root, sb_output *out) {
    (void)root;
    return sb_serialize(documents.made[sb_work.current], out);
}

bool sb_task_prepare(const sb_message *message) {
    (void)message;
    documents.made = calloc(sb_work.count, sizeof *documents.made);
    documents.copies = calloc(sb_work.count, sizeof *documents.copies);
    if (documents.made == NULL || documents.copies == NULL) return sb_fail("out of memory");
    for (uint32_t i = 0; i < sb_work.count; i++) {
        documents.copies[i] = sb_workspace_copy(i);
        if (documents.copies[i] == NULL) return sb_fail("out of memory");
        documents.made[i] = sb_document(documents.copies[i], sb_work.inputs[i].size);
        documents.count = i + (documents.made[i] != NULL);
        if (documents.made[i] == NULL) return false;
    }
    return true;
}

void sb_task_forget(void) {
    for (uint32_t i = 0; i < documents.count; i++) sb_document_free(documents.made[i]);
    for (uint32_t i = 0; documents.copies != NULL && i < sb_work.count; i++) free(documents.copies[i]);
    free(documents.made);
    free(documents.copies);
    memset(&documents, 0, sizeof documents);
}
