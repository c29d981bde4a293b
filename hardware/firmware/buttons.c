#include <avr/io.h>

#include "board.h"

#include "buttons.h"
#include "debounce.h"

static DEBOUNCE_OF(uint16_t) levels;
static uint8_t edges[BUTTON_BYTES * 2];

void buttons_init(void)
{
#define PULL_UP(index, port, bit) PORT##port |= _BV(bit);
    EACH_BUTTON(PULL_UP)
}

static uint16_t read_buttons(void)
{
    uint16_t down = 0;

#define READ(index, port, bit)    \
    if (!(PIN##port & _BV(bit)))  \
        down |= (uint16_t)1 << index;
    EACH_BUTTON(READ)
    return down;
}

bool buttons_scan(void)
{
    uint16_t flips;

    DEBOUNCE(levels, read_buttons(), flips);
    for (uint8_t i = 0; i < BUTTONS; i++)
        if (flips & ((uint16_t)1 << i))
            edges[i]++;
    return flips != 0;
}

void buttons_pack(uint8_t out[])
{
    for (uint8_t i = 0; i < BUTTON_BYTES; i++)
        out[i] = (uint8_t)(edges[2 * i] << 4) | (edges[2 * i + 1] & 0x0F);
}
