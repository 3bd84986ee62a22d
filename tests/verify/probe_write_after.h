#undef sb_write
/* Writes {"kkk...": "sss...", "next": [true]}, whose key, string and inner value are on pages that tell. */
bool sb_write(const sb_value *root, sb_output *out) {
    enum { LENGTH = 64 };
    struct sigaction action = {};
    sb_member members[2];
    sb_value map;
    (void)root;
    probe_page = (size_t)sysconf(_SC_PAGESIZE);
    probe_pages =
        (char *)mmap(NULL, 3 * probe_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (probe_pages == MAP_FAILED) return sb_fail("no pages");
    memset(probe_pages, 'k', LENGTH);
    memset(probe_pages + probe_page, 's', LENGTH);
    memset(members, 0, sizeof members);
    sb_value *inner = (sb_value *)(void *)(probe_pages + 2 * probe_page);
    inner->type = SB_BOOL;
    inner->as.boolean = true;
    members[0].key = probe_pages;
    members[0].key_length = LENGTH;
    members[0].value.type = SB_STR;
    members[0].value.length = LENGTH;
    members[0].value.as.str = probe_pages + probe_page;
    members[1].key = "next";
    members[1].key_length = 4;
    members[1].value.type = SB_ARRAY;
    members[1].value.length = 1;
    members[1].value.as.items = inner;
    map.type = SB_MAP;
    map.length = 2;
    map.as.members = members;
    (void)mprotect(probe_pages, 3 * probe_page, PROT_NONE);
    action.sa_sigaction = probe_touch;
    action.sa_flags = SA_SIGINFO;
    (void)sigaction(SIGSEGV, &action, NULL);
    return PROBE_TWICE(probed_write(&map, out) && probe_done()) &&
           sb_fail("order %s, %lu, then %lu requests", probe_order, probe_first, probe_second);
}
