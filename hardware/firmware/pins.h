/* One output pin by the name that board.h gives it: HIGH(CLOCK), LOW(CLOCK), OUTPUT(CLOCK). */
#ifndef PINS_H
#define PINS_H

#include <avr/io.h>

#include "board.h"

#define OUTPUT(name) (name##_DDR |= _BV(name##_BIT))
#define HIGH(name) (name##_PORT |= _BV(name##_BIT))
#define LOW(name) (name##_PORT &= (uint8_t)~_BV(name##_BIT))

#endif
