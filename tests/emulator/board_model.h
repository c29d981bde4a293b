/* The sensor board around an emulated AVR: what its parts share. See board_model.c. */
#ifndef BOARD_MODEL_H
#define BOARD_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>

#define MAX_CHAINS 8
#define MAX_BITS 128
#define MAX_BUTTONS 16
#define MAX_LAMPS 64
#define QUEUE 65536 /* a power of two */
#define RX_BUFFER 2 /* bytes an AVR holds beside the one that is coming in; simavr holds 64 */

enum role { ROLE_CHAIN, ROLE_CLOCK, ROLE_LOAD, ROLE_DATA, ROLE_LED_CLOCK, ROLE_BUTTON };

struct chain {
    avr_irq_t *pin;
    uint8_t inputs[MAX_BITS], stages[MAX_BITS];
    int head;       /* the stage whose bit is out now */
    int broken_at;  /* first stage that no longer gets through, or -1 */
    int level;      /* last driven on the pin */
};

struct line { /* bytes with the cycle at which each is over */
    uint8_t bytes[QUEUE];
    uint64_t when[QUEUE];
    uint32_t in, out;
};

struct picture { /* what the LED string shows: brightness, blue, green, red of each lamp along the string */
    uint64_t when;
    uint8_t lamps[MAX_LAMPS][4];
};

struct board {
    avr_t *avr;
    avr_uart_t *uart;
    void (*chip_reset)(avr_t *);
    bool was_reset;
    uint64_t slept;
    uint32_t resets;

    int chains, chain_bits, lamps, buttons;
    struct chain chain[MAX_CHAINS];
    struct { char port; uint8_t bit, down; } button[MAX_BUTTONS];
    uint8_t clock, load, data, led_clock;

    uint32_t word;
    int word_bits, lamp;
    bool in_string;
    struct picture drawing, shown;
    uint64_t drawn, changes;
    struct picture log[QUEUE / 16];

    struct line to_chip, from_chip;
    uint64_t byte_cycles, line_free;
    uint8_t rx[RX_BUFFER + 1];
    int rx_count;
    uint32_t overruns;
};

/* board_parts.c: listeners of the chip's pins, and what drives them. */
void drive_chain(struct chain *chain);
void on_clock(struct avr_irq_t *irq, uint32_t level, void *board);
void on_load(struct avr_irq_t *irq, uint32_t level, void *board);
void on_data(struct avr_irq_t *irq, uint32_t level, void *board);
void on_led_clock(struct avr_irq_t *irq, uint32_t level, void *board);
void drive_buttons(struct board *b);
void drive_again(avr_irq_t *pin, int level);

/* board_line.c: the serial line. */
void push(struct line *line, uint8_t byte, uint64_t when);
void on_uart_out(struct avr_irq_t *irq, uint32_t byte, void *board);
void byte_arrives(struct board *b, uint8_t byte);
uint8_t on_uart_read(struct avr_t *avr, avr_io_addr_t address, void *board);

#endif
