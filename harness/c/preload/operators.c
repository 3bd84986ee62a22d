/* C++'s operators new and delete for the counting library: jemalloc and mimalloc define them too, and would
 * answer past it. As in libstdc++, new asks for at least one byte. Where it would throw, the process ends:
 * this is no C++, so that C programs do not come to load a C++ library. */
#include <stdlib.h>
#include <unistd.h>

#if __SIZEOF_SIZE_T__ == __SIZEOF_LONG__ && __SIZEOF_LONG__ == 8
#define SIZE_CODE "m"
#else
#define SIZE_CODE "j"
#endif
#define OPERATOR(result, name, parameters, mangled) \
    result name parameters __asm__(mangled);        \
    result name parameters

static void *must(void *block) {
    static const char reason[] = "out of memory in operator new\n";
    if (block == NULL) {
        (void)!write(STDERR_FILENO, reason, sizeof reason - 1);
        abort();
    }
    return block;
}

static void *new_aligned(size_t size, size_t alignment) {
    return aligned_alloc(alignment, size != 0 ? size : 1);
}

#define NEW(kind, code)                                                                        \
    OPERATOR(void *, kind##_plain, (size_t size), "_Zn" code SIZE_CODE) {                      \
        return must(malloc(size != 0 ? size : 1));                                             \
    }                                                                                          \
    OPERATOR(void *, kind##_nothrow, (size_t size, const void *tag),                           \
             "_Zn" code SIZE_CODE "RKSt9nothrow_t") {                                          \
        (void)tag;                                                                             \
        return malloc(size != 0 ? size : 1);                                                   \
    }                                                                                          \
    OPERATOR(void *, kind##_aligned, (size_t size, size_t alignment),                          \
             "_Zn" code SIZE_CODE "St11align_val_t") {                                         \
        return must(new_aligned(size, alignment));                                             \
    }                                                                                          \
    OPERATOR(void *, kind##_aligned_nothrow, (size_t size, size_t alignment, const void *tag), \
             "_Zn" code SIZE_CODE "St11align_val_tRKSt9nothrow_t") {                           \
        (void)tag;                                                                             \
        return new_aligned(size, alignment);                                                   \
    }

#define DELETE(kind, code)                                                                            \
    OPERATOR(void, kind##_plain, (void *block), "_Zd" code "Pv") { free(block); }                     \
    OPERATOR(void, kind##_sized, (void *block, size_t size), "_Zd" code "Pv" SIZE_CODE) {             \
        (void)size;                                                                                   \
        free(block);                                                                                  \
    }                                                                                                 \
    OPERATOR(void, kind##_nothrow, (void *block, const void *tag), "_Zd" code "PvRKSt9nothrow_t") {   \
        (void)tag;                                                                                    \
        free(block);                                                                                  \
    }                                                                                                 \
    OPERATOR(void, kind##_aligned, (void *block, size_t alignment), "_Zd" code "PvSt11align_val_t") { \
        (void)alignment;                                                                              \
        free(block);                                                                                  \
    }                                                                                                 \
    OPERATOR(void, kind##_sized_aligned, (void *block, size_t size, size_t alignment),                \
             "_Zd" code "Pv" SIZE_CODE "St11align_val_t") {                                           \
        (void)size;                                                                                   \
        (void)alignment;                                                                              \
        free(block);                                                                                  \
    }                                                                                                 \
    OPERATOR(void, kind##_aligned_nothrow, (void *block, size_t alignment, const void *tag),          \
             "_Zd" code "PvSt11align_val_tRKSt9nothrow_t") {                                          \
        (void)alignment;                                                                              \
        (void)tag;                                                                                    \
        free(block);                                                                                  \
    }

/* clang-format off */
NEW(new_one, "w")
NEW(new_array, "a")
DELETE(delete_one, "l")
DELETE(delete_array, "a")
/* clang-format on */
