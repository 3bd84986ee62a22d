/* In the place of libFuzzer where there is none: gives the target each file that is named, and no other. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int count, char **paths) {
    for (int i = 1; i < count; i++) {
        FILE *file = fopen(paths[i], "rb");
        if (file == NULL || fseek(file, 0, SEEK_END) != 0) return 1;
        long size = ftell(file);
        rewind(file);
        uint8_t *data = malloc((size_t)size + (size == 0)); /* of just this size */
        if (data == NULL || fread(data, 1, (size_t)size, file) != (size_t)size) return 1;
        (void)fclose(file);
        (void)printf("%s\n", paths[i]);
        (void)fflush(stdout);
        (void)LLVMFuzzerTestOneInput(data, (size_t)size);
        free(data);
    }
    return 0;
}
