#include <string.h>
#include <util/crc16.h>

#include "frame.h"
#include "uart.h"

#define LONGEST (FRAME_PAYLOAD_MAX + FRAME_OVERHEAD)

/* The frame that is coming in, unstuffed as it comes. */
static struct {
    uint8_t bytes[LONGEST], count;
    uint8_t left; /* bytes until a zero that was taken out */
    bool started, too_long;
} in;

static uint16_t crc_of(const uint8_t *bytes, uint8_t count)
{
    uint16_t crc = 0xFFFF;

    while (count--)
        crc = _crc_xmodem_update(crc, *bytes++);
    return crc;
}

static void keep(uint8_t byte)
{
    if (in.count == LONGEST)
        in.too_long = true;
    else
        in.bytes[in.count++] = byte;
}

/* Its closing zero has come. Over the CRC too, the CRC of a good frame is zero. */
static enum frame_result judge(struct frame *frame)
{
    if (!in.started)
        return FRAME_NONE; /* two zeros in a row */
    if (in.left || in.too_long || in.count < FRAME_OVERHEAD || crc_of(in.bytes, in.count))
        return FRAME_BAD;
    frame->type = in.bytes[0];
    frame->seq = in.bytes[1];
    frame->payload = in.bytes + 2;
    frame->length = in.count - FRAME_OVERHEAD;
    return FRAME_GOOD;
}

enum frame_result frame_feed(uint8_t byte, struct frame *frame)
{
    enum frame_result result = FRAME_NONE;

    if (!byte) {
        result = judge(frame);
        in.count = in.left = in.started = in.too_long = 0;
    } else if (in.left) {
        keep(byte);
        in.left--;
    } else {
        if (in.started)
            keep(0);
        in.started = true;
        in.left = byte - 1;
    }
    return result;
}

/* Bytes before the next zero. */
static uint8_t run(const uint8_t *bytes, uint8_t count)
{
    uint8_t length = 0;

    while (length < count && bytes[length])
        length++;
    return length;
}

static void put_stuffed(const uint8_t *bytes, uint8_t count)
{
    for (;;) {
        uint8_t length = run(bytes, count);

        uart_put(length + 1);
        for (uint8_t i = 0; i < length; i++)
            uart_put(bytes[i]);
        if (length == count)
            break;
        bytes += length + 1;
        count -= length + 1;
    }
    uart_put(0);
}

bool frame_send(uint8_t type, uint8_t seq, const uint8_t payload[], uint8_t length)
{
    uint8_t bytes[LONGEST] = {type, seq};
    uint16_t crc;

    if (uart_room() < FRAME_ON_LINE(length))
        return false;
    memcpy(bytes + 2, payload, length);
    crc = crc_of(bytes, length + 2);
    bytes[length + 2] = crc >> 8;
    bytes[length + 3] = crc & 0xFF;
    put_stuffed(bytes, length + FRAME_OVERHEAD);
    return true;
}
