#include <string.h>

#include "board.h"

#include "buttons.h"
#include "frame.h"
#include "lamps.h"
#include "memory.h"
#include "protocol.h"
#include "scan.h"
#include "uart.h"

/* Sensors, buttons, chain faults, and a check of its own: a CRC of 16 bits alone would let one broken frame in
   65,536 pass, which on a bad line is one wrong position an evening. */
#define CHECKED_BYTES (SENSOR_BYTES + BUTTON_BYTES + 1)
#define STATE_BYTES (CHECKED_BYTES + 2)
#define ACK_ROOM (2 * FRAME_ON_LINE(2))
#define LED_BYTES (2 + LAMPS)

static uint16_t silent_ticks; /* since the last good frame */
static bool state_due, reset_due, greeted;
static uint16_t good_frames, broken_frames, dropped_states;
static uint32_t scans;

static uint8_t *put16(uint8_t *out, uint16_t value)
{
    *out++ = value >> 8;
    *out++ = value & 0xFF;
    return out;
}

/* Fletcher-16: independent of the frame's CRC. */
static uint16_t second_check(const uint8_t *bytes, uint8_t count)
{
    uint16_t low = 0, high = 0;

    while (count--) {
        low = (low + *bytes++) % 255;
        high = (high + low) % 255;
    }
    return high << 8 | low;
}

static bool send_state(uint8_t seq)
{
    uint8_t state[STATE_BYTES];

    if (uart_room() < FRAME_ON_LINE(STATE_BYTES) + (seq ? 0 : ACK_ROOM))
        return false; /* before the work of packing it */
    scan_pack(state);
    buttons_pack(state + SENSOR_BYTES);
    state[CHECKED_BYTES - 1] = scan_faults() | (greeted ? STATE_GREETED : 0);
    put16(state + CHECKED_BYTES, second_check(state, CHECKED_BYTES));
    return frame_send(ANS_STATE, seq, state, STATE_BYTES);
}

static void acknowledge(uint8_t seq, uint8_t type, uint8_t ack)
{
    const uint8_t answer[] = {type, ack};

    frame_send(ANS_ACK, seq, answer, sizeof answer); /* without room the host asks again */
}

static void answer_hello(uint8_t seq)
{
    static const uint8_t hello[] = {
        PROTOCOL, FIRMWARE_VERSION, SLOTS >> 8, SLOTS & 0xFF, LAMPS,
        FEATURE_SENSORS | FEATURE_LAMPS | FEATURE_BUTTONS | FEATURE_DICE_BUTTONS | FEATURE_CHAIN_CHECK,
        'k', 'i', 'b', 'i', 't', 'z',
    };

    frame_send(ANS_HELLO, seq, hello, sizeof hello);
}

static void answer_stats(uint8_t seq)
{
    uint8_t stats[16], *out = stats;

    out = put16(out, good_frames);
    out = put16(out, broken_frames);
    out = put16(out, uart_overruns());
    out = put16(out, dropped_states);
    out = put16(out, scans >> 16);
    out = put16(out, scans & 0xFFFF);
    out = put16(out, memory_never_used());
    *out++ = memory_watchdog_resets();
    *out++ = scan_faults();
    frame_send(ANS_STATS, seq, stats, sizeof stats);
}

static uint8_t set_lamps(const struct frame *frame)
{
    if (frame->length != LED_BYTES)
        return ACK_BAD_PAYLOAD;
    for (uint8_t i = 2; i < LED_BYTES; i++)
        if (!lamps_style_known(frame->payload[i]))
            return ACK_BAD_PAYLOAD;
    lamps_set(frame->payload + 2, (uint16_t)frame->payload[0] << 8 | frame->payload[1]);
    return ACK_OK;
}

static void obey(const struct frame *frame)
{
    uint8_t ack = ACK_OK;

    switch (frame->type) {
    case REQ_HELLO:
        greeted = true;
        answer_hello(frame->seq);
        return;
    case REQ_GET:
        send_state(frame->seq);
        return;
    case REQ_STATS:
        answer_stats(frame->seq);
        return;
    case REQ_LED:
        ack = set_lamps(frame);
        break;
    case REQ_RESET:
        reset_due = true;
        break;
    default:
        ack = ACK_UNKNOWN;
    }
    acknowledge(frame->seq, frame->type, ack);
}

static void receive(void)
{
    struct frame frame;
    int16_t byte;

    while ((byte = uart_get()) >= 0) {
        enum frame_result result = frame_feed(byte, &frame);

        if (result == FRAME_GOOD) {
            good_frames++;
            silent_ticks = 0;
            obey(&frame);
        } else if (result == FRAME_BAD) {
            broken_frames++;
            acknowledge(0, 0, ACK_BROKEN_FRAME);
        }
    }
}

void protocol_init(uint8_t reset_cause)
{
    const uint8_t boot[] = {reset_cause, PROTOCOL};

    frame_send(ANS_BOOT, 0, boot, sizeof boot);
}

void protocol_run(bool state_changed)
{
    if (state_changed && state_due)
        dropped_states++; /* the one that waits for room is overtaken */
    state_due |= state_changed;
    receive();
    if (state_due && send_state(0))
        state_due = false;
}

void protocol_tick(void)
{
    scans++;
    if (silent_ticks < LINK_LOST_TICKS)
        silent_ticks++;
}

bool protocol_link_lost(void)
{
    return silent_ticks == LINK_LOST_TICKS;
}

bool protocol_wants_reset(void)
{
    return reset_due && uart_sent_all();
}
