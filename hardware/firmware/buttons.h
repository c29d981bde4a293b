/* Push buttons to ground. A press is never lost with a lost frame: edges are counted, not reported. */
#ifndef BUTTONS_H
#define BUTTONS_H

#include <stdbool.h>
#include <stdint.h>

#define BUTTON_BYTES ((BUTTONS + 1) / 2)

void buttons_init(void);

/* One sample; true when a button went down or up. */
bool buttons_scan(void);

/* Edges of each button modulo 16, two buttons a byte, the first in the high half; odd: it is down now. */
void buttons_pack(uint8_t out[]);

#endif
