#include <serbench/baseline.h>
#include <serbench/reader.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#if defined FLOODS
static void misbehave(void) {
    static char block[1 << 16];
    static const char line[] = "a line of noise that says nothing\n";
    for (size_t at = 0; at + sizeof line <= sizeof block; at += sizeof line - 1)
        memcpy(block + at, line, sizeof line - 1);
    for (;;) (void)fwrite(block, 1, sizeof block, stderr);
}
#elif defined HOARDS
static void misbehave(void) {
    for (size_t size = (size_t)16 << 20;;) {
        char *block = malloc(size);
        if (block == NULL) (void)fputs("no more memory\n", stderr), abort();
        memset(block, 1, size);
    }
}
#elif defined CRASHES
static void misbehave(void) {
    volatile int *volatile nowhere = NULL;
    (void)fputs("about to crash\n", stderr);
    *nowhere = 1;
}
#elif defined EXITS
static void misbehave(void) {
    (void)fputs("goodbye\n", stderr);
    exit(3);
}
#elif defined HANGS
static void misbehave(void) {
    for (;;) (void)pause();
}
#elif defined PRINTS
static void misbehave(void) {
    puts("a library that talks");
    (void)fflush(stdout);
}
#elif defined ANSWERS
static void misbehave(void) {
    /* The harness keeps the protocol's pipe to itself, at the first number that was free. */
    for (int fd = 3; fd < 8; fd++)
        if (write(fd, "not an answer\n", 14) == 14) return;
}
#elif defined FORKS
static void misbehave(void) {
    static bool done;
    if (!done && fork() == 0)
        for (;;) (void)pause();
    done = true;
}
#else
static void misbehave(void) {}
#endif

bool sb_read(char *data, size_t size, sb_hash *h) {
    misbehave();
#ifdef READS_ON
    (void)((volatile char *)data)[size + 1]; /* one zero byte follows, and this is the next one */
#endif
    (void)data;
    (void)size;
    sb_hash_value(h, sb_harness_root());
#ifdef WRONG_HASH
    sb_hash_nil(h);
#endif
#ifdef REMEMBERS
    static uint32_t first[2]; /* of the first document, for ever */
    static bool known[2];
    if (!known[h->exact]) first[h->exact] = h->state;
    known[h->exact] = true;
    h->state = first[h->exact];
#endif
#ifdef REFUSES
    return sb_fail("it will not do \"%s\"", "this\n");
#endif
#ifdef VARIES
    static unsigned calls;
    if (++calls > 100) sb_hash_nil(h);
#endif
    return true;
}

const char *sb_library_version(void) { return "0"; }
