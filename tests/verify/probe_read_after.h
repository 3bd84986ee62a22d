#undef sb_read
/* Where the strings stand that it hands out. The input is copied anew for the second call, as always. */
bool sb_read(char *data, size_t size, sb_hash *h) {
    char *input = (char *)__libc_malloc(size), *copy = data;
    memcpy(input, data, size);
    probe_low = data;
    probe_high = data + size;
    bool good = PROBE_TWICE(
        (memcpy(copy, input, size), probe_inside = probe_outside = 0, probed_read(copy, size, h)));
    free(input);
    return good && sb_fail("%u inside, %u outside, %lu, then %lu requests", probe_inside, probe_outside,
                           probe_first, probe_second);
}
