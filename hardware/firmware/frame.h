/* Frames on the line: COBS(type, seq, payload, CRC-16/CCITT-FALSE) and a zero. */
#ifndef FRAME_H
#define FRAME_H

#include <stdbool.h>
#include <stdint.h>

#define FRAME_PAYLOAD_MAX 60
#define FRAME_OVERHEAD 4 /* type, seq, two of CRC */
/* On the line: also the code byte of COBS (a frame is shorter than 254) and the closing zero. */
#define FRAME_ON_LINE(payload) ((payload) + FRAME_OVERHEAD + 2)

enum frame_result { FRAME_NONE, FRAME_GOOD, FRAME_BAD };

/* What came last; good until the next byte is fed. */
struct frame {
    uint8_t type, seq, length;
    const uint8_t *payload;
};

/* Feed one byte received; FRAME_GOOD fills `frame`. */
enum frame_result frame_feed(uint8_t byte, struct frame *frame);

/* False, and nothing sent, when the line has no room for it. */
bool frame_send(uint8_t type, uint8_t seq, const uint8_t payload[], uint8_t length);

#endif
