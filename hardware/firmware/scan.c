#include "board.h"

#include "debounce.h"
#include "pins.h"
#include "scan.h"

#define CHAIN_MASK ((uint8_t)((1 << CHAINS) - 1))

#define SETTLED 4 /* samples until a bit is believed */

/* One more than the sensors: the bit that was sent in at the far end, compared with what was sent. */
static DEBOUNCE_OF(uint8_t) bits[CHAIN_BITS + 1];

static uint8_t read_chains(void)
{
    return (CHAIN_PIN >> CHAIN_SHIFT) & CHAIN_MASK;
}

/* The far end's bit alternates, so that a line stuck at either level is found. */
static uint8_t send_far_bit(void)
{
    static bool level;

    level = !level;
    if (level)
        HIGH(DATA);
    else
        LOW(DATA);
    return level ? CHAIN_MASK : 0;
}

bool scan(void)
{
    static uint8_t wrong_before;
    uint8_t far_bit = send_far_bit(), wrong, changed = 0, flips;

    LOW(LOAD); /* all inputs are taken over */
    HIGH(LOAD);
    for (uint8_t i = 0; i < CHAIN_BITS; i++) {
        DEBOUNCE(bits[i], read_chains() ^ SENSORS_IDLE, flips); /* before the clock: the first bit is out already */
        changed |= flips;
        HIGH(CLOCK);
        LOW(CLOCK);
    }
    wrong = read_chains() ^ far_bit;
    DEBOUNCE(bits[CHAIN_BITS], wrong | wrong_before, flips); /* a stuck line is right every other time */
    wrong_before = wrong;
    return changed | flips;
}

void scan_init(void)
{
    OUTPUT(CLOCK);
    OUTPUT(LOAD);
    OUTPUT(DATA);
    LOW(CLOCK);
    HIGH(LOAD);
    for (uint8_t i = 0; i < SETTLED; i++)
        scan();
}

void scan_pack(uint8_t out[])
{
    for (uint8_t chain = 0; chain < CHAINS; chain++)
        for (uint8_t byte = 0; byte < CHAIN_BITS / 8; byte++) {
            uint8_t packed = 0;

            for (uint8_t bit = 0; bit < 8; bit++)
                packed = (uint8_t)(packed << 1) | ((bits[byte * 8 + bit].state >> chain) & 1);
            *out++ = packed;
        }
}

uint8_t scan_faults(void)
{
    return bits[CHAIN_BITS].state;
}
