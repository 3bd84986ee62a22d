/* The number of steps: data, so that all such programs have the same code. */
#ifndef SERBENCH_PRECISION_NUMBER_H
#define SERBENCH_PRECISION_NUMBER_H

#include "steps.h"

#ifndef STEPS
#define STEPS 0
#endif

static volatile uint64_t number = STEPS;

#endif
