/* The document of this program, made by harness/firmware/build/source.py. */
#ifndef SERBENCH_DOCUMENT_H
#define SERBENCH_DOCUMENT_H

#include <serbench/value.h>

extern const char fw_input[]; /* encoded, followed by a zero byte */
extern const uint16_t fw_input_size;
extern char fw_output[];
extern const uint16_t fw_output_size;
extern const sb_value fw_tree; /* as a value tree, for libraries that have no document of their own */

#endif
