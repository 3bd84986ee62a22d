/* CMP's version is a single number. */
#ifndef VERSION_H
#define VERSION_H

#include <cmp.h>
#include <stdio.h>

static const char *cmp_version_text(void) {
    static char text[12];
    snprintf(text, sizeof text, "%u", (unsigned)cmp_version());
    return text;
}

#endif
