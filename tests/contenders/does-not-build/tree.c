#include <serbench/reader.h>

/* There is no sb_read: it compiles and does not link. */
const char *sb_library_version(void) { return "0"; }
