/* The serial line to and from the emulated chip, with the two bytes that a real one can hold. */
#include <stdlib.h>
#include <string.h>

#include <simavr/sim_interrupts.h>

#include "board_model.h"

void push(struct line *line, uint8_t byte, uint64_t when)
{
    if (line->in - line->out == QUEUE)
        abort();
    line->bytes[line->in % QUEUE] = byte;
    line->when[line->in++ % QUEUE] = when;
}

void on_uart_out(struct avr_irq_t *irq, uint32_t byte, void *param)
{
    struct board *b = param;

    (void)irq;
    if (b->line_free < b->avr->cycle)
        b->line_free = b->avr->cycle;
    b->line_free += b->byte_cycles;
    push(&b->from_chip, byte, b->line_free);
}

static void raise_receive(struct board *b)
{
    avr_clear_interrupt(b->avr, &b->uart->rxc);
    avr_regbit_clear(b->avr, b->uart->rxc.raised);
    if (b->rx_count)
        avr_raise_interrupt(b->avr, &b->uart->rxc);
}

void byte_arrives(struct board *b, uint8_t byte)
{
    if (!avr_regbit_get(b->avr, b->uart->rxen))
        return;
    if (b->rx_count > RX_BUFFER) { /* two waiting and one in the shift register: this one is lost */
        b->overruns++;
        avr_regbit_set(b->avr, b->uart->dor);
        return;
    }
    b->rx[b->rx_count++] = byte;
    raise_receive(b);
}

/* Stands for simavr's own handler of reads of the data register, whose buffer is endless. */
uint8_t on_uart_read(struct avr_t *avr, avr_io_addr_t address, void *param)
{
    struct board *b = param;
    uint8_t byte = b->rx[0];

    if (b->rx_count) {
        b->rx_count--;
        memmove(b->rx, b->rx + 1, b->rx_count);
    }
    avr_regbit_clear(avr, b->uart->dor);
    raise_receive(b);
    avr->data[address] = byte;
    return byte;
}
