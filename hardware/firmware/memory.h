/* What outlives a reset, and how near the stack came to the variables. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdint.h>

/* Bits of the reset cause beside those of MCUSR (power 1, pin 2, voltage 4, watchdog 8). */
#define CAUSE_ASKED_FOR 0x80

/* Why the chip started; call once. */
uint8_t memory_reset_cause(void);

/* The next watchdog reset is not a fault. */
void memory_expect_reset(void);

/* Watchdog resets since power came, those asked for not counted. */
uint8_t memory_watchdog_resets(void);

/* Bytes of RAM that neither variables nor the stack have ever touched. */
uint16_t memory_never_used(void);

#endif
