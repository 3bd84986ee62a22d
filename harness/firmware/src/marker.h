/* What the emulator's counter looks for: it counts from the first to the second. */
#ifndef SERBENCH_MARKER_H
#define SERBENCH_MARKER_H

void fw_begin(void);
void fw_end(void);

#endif
