/* The serial line: two rings, filled and emptied by interrupts. */
#ifndef UART_H
#define UART_H

#include <stdbool.h>
#include <stdint.h>

void uart_init(void);

/* Next byte received, or -1. */
int16_t uart_get(void);

bool uart_received(void);

/* Bytes that uart_put will take without losing any. */
uint8_t uart_room(void);

void uart_put(uint8_t byte);

bool uart_sent_all(void);

/* Bytes lost on the way in, in the chip's two-byte buffer or in the ring. */
uint16_t uart_overruns(void);

#endif
