/* What every test of a contender may define or call, whether it reads or writes. */
#ifndef SERBENCH_CONTENDER_H
#define SERBENCH_CONTENDER_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* To be defined by each test: the library's version as the library itself reports it, "" if it does not. */
const char *sb_library_version(void);

/* May be defined: called once, untimed, before the first call of the test. For a seed, or for the
 * parser of a variant that reuses it. False (see sb_fail) if that failed. */
bool sb_setup(void);

/* Records why a call failed, as printf would print it, and returns false:
 *     return sb_fail("parse error: %s", text); */
bool sb_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "1.2.3" from three macros that are numbers. */
#define SB_VERSION_TEXT(x) #x
#define SB_VERSION_3(major, minor, patch) \
    SB_VERSION_TEXT(major) "." SB_VERSION_TEXT(minor) "." SB_VERSION_TEXT(patch)

#ifdef __cplusplus
}
#endif
#endif
