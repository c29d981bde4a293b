/* The LED string (APA102): colours and rhythms as the host says; "link lost" by itself. */
#ifndef LAMPS_H
#define LAMPS_H

#include <stdbool.h>
#include <stdint.h>

void lamps_init(void);

/* Styles by lamp number (colour in the low half, rhythm in the high); dark again after ms, 0: until told. */
void lamps_set(const uint8_t styles[], uint16_t ms);

/* True where both halves of a style exist. */
bool lamps_style_known(uint8_t style);

/* One step of time. */
void lamps_tick(bool link_lost);

/* Write the string if what it shows has changed or is due to be refreshed. */
void lamps_draw(void);

#endif
