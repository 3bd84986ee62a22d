/* A plugin for QEMU's translating emulation: counts the instructions between two addresses.
 *
 *     -plugin libcount.so,begin=0x...,end=0x...,to=FILE
 *
 * Each time the instruction at `end` is reached, FILE gets one line `region COUNT`: the instructions since
 * the one at `begin`, that one included. The first version of QEMU's plugin interface suffices, and its few
 * functions are declared here, since not every distribution ships the header. From version 9 on QEMU refuses
 * plugins of the first version, so the plugin states the second where it finds a function that came with it.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum { NO_REGISTERS = 0 };
typedef void (*translated)(plugin_id, struct qemu_plugin_tb *);
typedef void (*executed)(unsigned int, void *);
typedef void (*ended)(plugin_id, void *);

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, translated call);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, executed call, int flags,
                                            void *data);
void qemu_plugin_register_atexit_cb(plugin_id id, ended call, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);

extern int qemu_plugin_num_vcpus(void) __attribute__((weak));

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(plugin_id id, const void *info, int count, char **words);

__attribute__((constructor)) static void choose_version(void) {
    if (qemu_plugin_num_vcpus != NULL) qemu_plugin_version = 2;
}

static uint64_t begin_at, end_at, counted;
static FILE *report;

static void step(unsigned int cpu, void *data) {
    (void)cpu, (void)data;
    counted++;
}

static void begin(unsigned int cpu, void *data) {
    (void)cpu, (void)data;
    counted = 1;
}

static void end(unsigned int cpu, void *data) {
    (void)cpu, (void)data;
    (void)fprintf(report, "region %llu\n", (unsigned long long)counted);
    (void)fflush(report);
}

static void translate(plugin_id id, struct qemu_plugin_tb *tb) {
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint64_t at = qemu_plugin_insn_vaddr(insn);
        executed call = at == begin_at ? begin : at == end_at ? end : step;
        qemu_plugin_register_vcpu_insn_exec_cb(insn, call, NO_REGISTERS, NULL);
    }
}

static void finish(plugin_id id, void *data) {
    (void)id, (void)data;
    (void)fclose(report);
}

EXPORT int qemu_plugin_install(plugin_id id, const void *info, int count, char **words) {
    (void)info;
    for (int i = 0; i < count; i++) {
        if (strncmp(words[i], "begin=", 6) == 0) begin_at = strtoull(words[i] + 6, NULL, 16);
        if (strncmp(words[i], "end=", 4) == 0) end_at = strtoull(words[i] + 4, NULL, 16);
        if (strncmp(words[i], "to=", 3) == 0) report = fopen(words[i] + 3, "w");
    }
    if (report == NULL || begin_at == 0 || end_at == 0) return 1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    qemu_plugin_register_atexit_cb(id, finish, NULL);
    return 0;
}
