/* The sensors: five rows of shift registers read side by side, debounced, each row proven whole at every scan. */
#ifndef SCAN_H
#define SCAN_H

#include <stdbool.h>
#include <stdint.h>

#define SENSOR_BYTES (CHAINS * CHAIN_BITS / 8)

/* Takes the first samples at once: nobody must be told of an empty board that is not. */
void scan_init(void);

/* One scan; true when anything changed, a row's health included. */
bool scan(void);

/* Debounced sensor bits, chain by chain, the bit that comes out first in the highest place. */
void scan_pack(uint8_t out[]);

/* One bit a chain: set where what goes in at the far end does not come out. */
uint8_t scan_faults(void);

#endif
