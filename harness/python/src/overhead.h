/* What the harness itself does in an iteration (docs/protocol.md, "Overhead"). */
#ifndef SERBENCH_PYTHON_OVERHEAD_H
#define SERBENCH_PYTHON_OVERHEAD_H

#include "task.h"

/* Makes an iteration that is not timed to find it out; false with an exception if that failed. */
bool sb_own_record(sb_task *task);

/* Does it; `context` is the task. As clock.c calls it. */
bool sb_own_iterate(void *context);

/* Frees what was recorded. */
void sb_own_free(sb_task *task);

#endif
