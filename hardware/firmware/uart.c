#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "board.h"

#include "uart.h"

/* Powers of two, so that an index wraps by a mask. */
#define RX_SIZE 64
#define TX_SIZE 128

#ifndef USART_RX_vect /* chips with several serial lines number the first */
#define USART_RX_vect USART0_RX_vect
#define USART_UDRE_vect USART0_UDRE_vect
#endif

static volatile uint8_t rx[RX_SIZE], rx_in, rx_out;
static volatile uint8_t tx[TX_SIZE], tx_in, tx_out;
static volatile uint16_t overruns;

void uart_init(void)
{
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00); /* 8N1; before the rate: simavr takes the frame's length then */
    UBRR0 = (F_CPU + BAUD * 4) / (BAUD * 8) - 1;
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

ISR(USART_RX_vect)
{
    uint8_t lost = UCSR0A & _BV(DOR0); /* valid only until the byte is read */
    uint8_t byte = UDR0, next = (rx_in + 1) % RX_SIZE;

    if (next == rx_out)
        lost = 1;
    else {
        rx[rx_in] = byte;
        rx_in = next;
    }
    if (lost)
        overruns++;
}

ISR(USART_UDRE_vect)
{
    if (tx_out == tx_in) {
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
        return;
    }
    UDR0 = tx[tx_out];
    tx_out = (tx_out + 1) % TX_SIZE;
}

bool uart_received(void)
{
    return rx_in != rx_out;
}

int16_t uart_get(void)
{
    uint8_t byte;

    if (!uart_received())
        return -1;
    byte = rx[rx_out];
    rx_out = (rx_out + 1) % RX_SIZE;
    return byte;
}

uint8_t uart_room(void)
{
    return (uint8_t)(tx_out - tx_in - 1) % TX_SIZE;
}

void uart_put(uint8_t byte)
{
    tx[tx_in] = byte;
    tx_in = (tx_in + 1) % TX_SIZE;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        UCSR0B |= _BV(UDRIE0);
    }
}

bool uart_sent_all(void)
{
    return tx_in == tx_out && !(UCSR0B & _BV(UDRIE0));
}

uint16_t uart_overruns(void)
{
    uint16_t count;

    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        count = overruns;
    }
    return count;
}
