/* What every C++ program carries as soon as it allocates and handles an exception: linked into all statically
 * linked C++ workers, the baseline too, so that a library's code size is its own. */
#include <cstdlib>
#include <new>

/* Called before main; volatile, so that none of it is optimised away. */
__attribute__((constructor, used)) static void use_the_runtime() {
    static volatile std::size_t size = 1;
    try {
        char *volatile block = new char[size];
        if (block == nullptr) throw std::bad_alloc();
        delete[] block;
    } catch (const std::bad_alloc &) {
        std::abort();
    }
}
