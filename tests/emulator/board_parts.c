/* Shift registers, LED string and buttons on the emulated chip's pins. */
#include <string.h>

#include <simavr/avr_ioport.h>

#include "board_model.h"

/* The registers' outputs. */

void drive_chain(struct chain *chain)
{
    int level = chain->stages[chain->head];

    if (level != chain->level) {
        chain->level = level;
        avr_raise_irq(chain->pin, level);
    }
}

static void load_chains(struct board *b)
{
    for (int i = 0; i < b->chains; i++) {
        struct chain *chain = &b->chain[i];

        memcpy(chain->stages, chain->inputs, b->chain_bits);
        if (chain->broken_at >= 0)
            memset(chain->stages + chain->broken_at, 1, b->chain_bits - chain->broken_at);
        chain->head = 0;
        drive_chain(chain);
    }
}

static void clock_chains(struct board *b)
{
    for (int i = 0; i < b->chains; i++) {
        struct chain *chain = &b->chain[i];

        chain->stages[chain->head] = chain->broken_at >= 0 ? 1 : b->data;
        chain->head = (chain->head + 1) % b->chain_bits;
        drive_chain(chain);
    }
}

void on_clock(struct avr_irq_t *irq, uint32_t level, void *param)
{
    struct board *b = param;

    (void)irq;
    if (level && !b->clock && b->load) /* while loading, a 74HC165 does not shift */
        clock_chains(b);
    b->clock = level;
}

void on_load(struct avr_irq_t *irq, uint32_t level, void *param)
{
    struct board *b = param;

    (void)irq;
    if (!level && b->load)
        load_chains(b);
    b->load = level;
}

void on_data(struct avr_irq_t *irq, uint32_t level, void *param)
{
    (void)irq;
    ((struct board *)param)->data = level;
}

/* The LED string: 32 zero bits begin, then 32 bits a lamp whose first three are ones; anything else ends it. */

static void show_picture(struct board *b)
{
    b->drawn++;
    b->drawing.when = b->avr->cycle;
    if (!memcmp(b->drawing.lamps, b->shown.lamps, sizeof b->shown.lamps))
        return;
    b->shown = b->drawing;
    b->log[b->changes++ % (QUEUE / 16)] = b->drawing;
}

static void take_word(struct board *b)
{
    bool is_lamp = b->word >> 29 == 7;

    if (is_lamp && b->lamp < b->lamps) {
        uint8_t *lamp = b->drawing.lamps[b->lamp++];

        lamp[0] = b->word >> 24 & 0x1F;
        for (int i = 1; i < 4; i++)
            lamp[i] = b->word >> (24 - 8 * i);
    } else {
        if (b->lamp)
            show_picture(b);
        b->in_string = false;
    }
}

static void take_bit(struct board *b)
{
    bool begins = b->in_string && !b->lamp && !b->word_bits;

    if (begins && !b->data)
        return; /* more zeros than a beginning needs */
    b->word = b->word << 1 | b->data;
    b->word_bits++;
    if (!b->in_string && b->word_bits >= 32 && !b->word) {
        b->in_string = true;
        b->lamp = b->word_bits = 0;
    } else if (b->in_string && b->word_bits == 32) {
        b->word_bits = 0;
        take_word(b);
    }
}

void on_led_clock(struct avr_irq_t *irq, uint32_t level, void *param)
{
    struct board *b = param;

    (void)irq;
    if (level && !b->led_clock)
        take_bit(b);
    b->led_clock = level;
}

/* simavr passes on changes only: away first, then to the level. */
void drive_again(avr_irq_t *pin, int level)
{
    avr_raise_irq(pin, !level);
    avr_raise_irq(pin, level);
}

/* A pressed button holds its pin against the chip's pull-up, which simavr would raise at every write to the port. */
void drive_buttons(struct board *b)
{
    for (int i = 0; i < b->buttons; i++) {
        char port = b->button[i].port;
        avr_ioport_external_t held = {.name = port};

        for (int j = 0; j < b->buttons; j++)
            if (b->button[j].port == port && b->button[j].down)
                held.mask |= 1 << b->button[j].bit;
        avr_ioctl(b->avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(port), &held);
        drive_again(avr_io_getirq(b->avr, AVR_IOCTL_IOPORT_GETIRQ(port), b->button[i].bit), !b->button[i].down);
    }
}
