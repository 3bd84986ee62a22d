#include <serbench/writer.h>

bool sb_write(const sb_value *root, sb_output *out) { return nobody_declared_this && root && out; }

const char *sb_library_version(void) { return "0"; }
