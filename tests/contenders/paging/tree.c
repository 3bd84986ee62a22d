/* PAGES pages that the kernel gives anew in each call; or, as a library does, small blocks of the heap. */
#include <serbench/baseline.h>
#include <serbench/reader.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGES = 256, PAGE = 4096, BLOCK = 2048, BLOCKS = PAGES * PAGE / BLOCK };

#ifdef HEAP
static bool use_memory(void) {
    static char *blocks[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = malloc(BLOCK);
        if (blocks[i] == NULL) return sb_fail("out of memory");
        *(volatile char *)blocks[i] = 1;
    }
    for (int i = BLOCKS - 1; i >= 0; i--) free(blocks[i]);
    return true;
}
#else
static bool use_memory(void) {
    char *pages = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return sb_fail("out of memory");
    (void)madvise(pages, PAGES * PAGE, MADV_NOHUGEPAGE);
    for (int i = 0; i < PAGES; i++) ((volatile char *)pages)[i * PAGE] = 1;
    return munmap(pages, PAGES * PAGE) == 0;
}
#endif

bool sb_read(char *data, size_t size, sb_hash *h) {
    (void)data;
    (void)size;
    sb_hash_value(h, sb_harness_root());
    return use_memory();
}

const char *sb_library_version(void) { return "0"; }
