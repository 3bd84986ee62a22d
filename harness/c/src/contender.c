/* What the harness keeps for the contender: why it failed, and what it and most tasks need not define. */
#include "serbench/contender.h"

#include <stdarg.h>
#include <stdio.h>

#include "task.h"

static char reason[512];

bool sb_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return false;
}

const char *sb_failure(void) { return reason[0] != '\0' ? reason : "the contender gave no reason"; }

__attribute__((weak)) bool sb_setup(void) { return true; }

__attribute__((weak)) bool sb_task_prepare(const sb_message *message) {
    (void)message;
    return true;
}

__attribute__((weak)) void sb_task_forget(void) {}
