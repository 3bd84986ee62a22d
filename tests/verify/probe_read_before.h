static const char *probe_low, *probe_high;
static unsigned probe_inside, probe_outside;
static inline void probe_str(sb_hash *h, const char *bytes, size_t length) {
    if (bytes >= probe_low && bytes < probe_high)
        probe_inside++;
    else
        probe_outside++;
    sb_hash_str(h, bytes, length);
}
bool probed_read(char *data, size_t size, sb_hash *h);
#define sb_hash_str probe_str
#define sb_read probed_read
