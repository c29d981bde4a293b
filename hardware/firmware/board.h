/* Made from hardware/board.toml by hardware/generate.py (make board): change that, not this. */
#ifndef BOARD_H
#define BOARD_H

#define PROTOCOL 1
#define FIRMWARE_VERSION 0, 1, 0
#define BAUD 115200UL
#define LINK_LOST_TICKS 1000
#define TICK_US 3000UL
#define CHAINS 5
#define CHAIN_BITS 72
/* The chains' bits when no sensor feels anything. */
#define SENSORS_IDLE 31
#define SLOTS 180
#define LAMPS 30
#define POINT_LAMPS 24
#define LED_BRIGHTNESS 8
#define BUTTONS 9
#define COLOURS 6
#define RHYTHMS 6
#define COLOUR_OFF 0
#define COLOUR_WHITE 1
#define COLOUR_GREEN 2
#define COLOUR_RED 3
#define COLOUR_AMBER 4
#define COLOUR_BLUE 5
#define RHYTHM_STEADY 0
#define RHYTHM_FAST 1
#define RHYTHM_SLOW 2
#define RHYTHM_ALTERNATE 3
#define RHYTHM_SECOND 4
#define RHYTHM_BREATHE 5
/* Lamp numbers in the order of the string. */
#define LED_STRING {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 24, 25, 26, 27, 28, 29}
/* Red, green, blue by colour number. */
#define PALETTE {{0, 0, 0}, {255, 255, 255}, {0, 255, 0}, {255, 0, 0}, {255, 110, 0}, {0, 0, 255}}
/* After so many ticks all rhythms begin anew together. */
#define RHYTHM_CYCLE_TICKS 640
/* Ticks of half a period by rhythm number. */
#define RHYTHM_TICKS {0, 40, 160, 160, 160, 320}

#ifdef __AVR_ATmega328P__ /* Arduino Uno, Nano */
#define CHAIN_PIN PINC
#define CHAIN_SHIFT 0
#define CLOCK_PORT PORTD
#define CLOCK_DDR DDRD
#define CLOCK_BIT 2
#define LOAD_PORT PORTD
#define LOAD_DDR DDRD
#define LOAD_BIT 3
#define DATA_PORT PORTD
#define DATA_DDR DDRD
#define DATA_BIT 4
#define LED_CLOCK_PORT PORTB
#define LED_CLOCK_DDR DDRB
#define LED_CLOCK_BIT 5
/* X(bit on the wire, port letter, bit of the port) */
#define EACH_BUTTON(X) X(0, B, 0) X(1, B, 1) X(2, B, 2) X(3, B, 3) X(4, B, 4) X(5, C, 5) X(6, D, 5) X(7, D, 6) X(8, D, 7)
#endif

#ifdef __AVR_ATmega2560__ /* Arduino Mega */
#define CHAIN_PIN PINF
#define CHAIN_SHIFT 0
#define CLOCK_PORT PORTE
#define CLOCK_DDR DDRE
#define CLOCK_BIT 4
#define LOAD_PORT PORTE
#define LOAD_DDR DDRE
#define LOAD_BIT 5
#define DATA_PORT PORTG
#define DATA_DDR DDRG
#define DATA_BIT 5
#define LED_CLOCK_PORT PORTB
#define LED_CLOCK_DDR DDRB
#define LED_CLOCK_BIT 7
/* X(bit on the wire, port letter, bit of the port) */
#define EACH_BUTTON(X) X(0, H, 5) X(1, H, 6) X(2, B, 4) X(3, B, 5) X(4, B, 6) X(5, F, 5) X(6, E, 3) X(7, H, 3) X(8, H, 4)
#endif

#endif
