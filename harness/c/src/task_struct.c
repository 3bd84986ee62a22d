/* A writer's iteration (task_write.c) of structs that were made before. */
#include <stdlib.h>

#include "serbench/struct.h"
#include "task.h"

static struct {
    void **made;
    uint32_t count;
} structs;

bool sb_write(const sb_value *root, sb_output *out) {
    (void)root;
    return sb_struct_write(structs.made[sb_work.current], out);
}

bool sb_task_prepare(const sb_message *message) {
    (void)message;
    structs.made = calloc(sb_work.count, sizeof *structs.made);
    if (structs.made == NULL) return sb_fail("out of memory");
    for (; structs.count < sb_work.count; structs.count++) {
        structs.made[structs.count] = sb_struct(&sb_work.messages[structs.count]);
        if (structs.made[structs.count] == NULL) return false;
    }
    return true;
}

void sb_task_forget(void) {
    for (uint32_t i = 0; i < structs.count; i++) sb_struct_free(structs.made[i]);
    free(structs.made);
    memset(&structs, 0, sizeof structs);
}
