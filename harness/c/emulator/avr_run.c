/* Runs firmware for an AVR and counts its cycles: avr_run MCU FIRMWARE BEGIN END LIMIT
 *
 * What the firmware writes to GPIOR0 goes to standard output. BEGIN and END are the addresses of the two
 * marker functions (hexadecimal): each time END is reached, one line `region CYCLES` says how many passed
 * since BEGIN. Exit status 0 when the firmware has gone to sleep for good, 1 for a crash, and 3 when it
 * has not within LIMIT cycles. */
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GPIOR0 0x3E /* of the ATmega1284P, as a data address */

static void put(struct avr_t *avr, avr_io_addr_t address, uint8_t value, void *unused) {
    (void)avr, (void)address, (void)unused;
    (void)putchar(value);
}

int main(int count, char **words) {
    static elf_firmware_t firmware;
    if (count != 6 || elf_read_firmware(words[2], &firmware) != 0) return 2;
    avr_t *avr = avr_make_mcu_by_name(words[1]);
    if (avr == NULL) return 2;
    (void)avr_init(avr);
    avr_load_firmware(avr, &firmware);
    avr_register_io_write(avr, GPIOR0, put, NULL);
    avr_flashaddr_t begin = (avr_flashaddr_t)strtoul(words[3], NULL, 16);
    avr_flashaddr_t end = (avr_flashaddr_t)strtoul(words[4], NULL, 16);
    unsigned long long limit = strtoull(words[5], NULL, 10), began = 0;
    for (;;) {
        if (avr->pc == begin) began = avr->cycle;
        if (avr->pc == end) (void)printf("region %llu\n", (unsigned long long)avr->cycle - began);
        int state = avr_run(avr);
        if (state == cpu_Done) return 0;
        if (state == cpu_Crashed) return 1;
        if (avr->cycle > limit) return 3;
    }
}
