#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "Arduino.h"

StandInSerial Serial;

static unsigned long ticks;

void StandInSerial::begin(unsigned long) {}

int StandInSerial::available() {
    struct pollfd input = {0, POLLIN, 0};
    if (poll(&input, 1, 0) <= 0) return 0;
    if ((input.revents & POLLIN) == 0) exit(0); /* the cable is out */
    return 1;
}

int StandInSerial::read() {
    unsigned char byte;
    if (::read(0, &byte, 1) != 1) exit(0);
    return byte;
}

size_t StandInSerial::write(uint8_t byte) {
    if (::write(1, &byte, 1) != 1) exit(0);
    return 1;
}

unsigned long micros() { return ticks += 7; }

unsigned long millis() { return ticks += 100; }

void delay(unsigned long milliseconds) { usleep((useconds_t)milliseconds * 1000); }

void yield() {}

int main() {
    setup();
    for (;;) loop();
}
