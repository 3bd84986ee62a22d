#ifndef SERBENCH_FRAGMENT_H
#define SERBENCH_FRAGMENT_H

/* Fragments the heap as the 2016 suite did, so that no library profits from a fresh one: 65,536 blocks
 * of 2^(r % 12) + r' % 8 bytes, shuffled, the first half freed. The rest lives as long as the process. */
void sb_fragment_heap(void);

/* Lets memory that is freed stay with the process, for which the program calls it first of all. By glibc's
 * default that depends on what else was freed before, the harness's own buffer too, and not on the library
 * (METHOD.md, "Page faults"). Other allocators do not notice. */
void sb_keep_freed_memory(void);

#endif
