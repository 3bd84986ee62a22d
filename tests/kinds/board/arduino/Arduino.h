/* A stand-in for an Arduino core: the serial line is the process's own input and output, and the clock ticks
 * at every look, so that times are the same in every run. */
#ifndef STAND_IN_ARDUINO_H
#define STAND_IN_ARDUINO_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct StandInSerial {
    void begin(unsigned long baud);
    int available();
    int read();
    size_t write(uint8_t byte);
};

extern StandInSerial Serial;

unsigned long micros();
unsigned long millis();
void delay(unsigned long milliseconds);
void yield();

void setup();
void loop();

#endif
