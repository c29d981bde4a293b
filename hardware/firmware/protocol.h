/* What host and board say to each other. firmware_bridge/messages.py is the other side. */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>

/* Host to board; each is answered by one frame with its seq. */
enum request { REQ_HELLO = 0x01, REQ_GET, REQ_LED, REQ_STATS, REQ_RESET };

/* Board to host. A STATE that nobody asked for has seq 0, as have BOOT and the refusal of a broken frame. */
enum answer { ANS_HELLO = 0x81, ANS_STATE, ANS_ACK, ANS_STATS, ANS_BOOT };

/* In the STATE's last byte beside the chains' fault bits: a host has said HELLO since the board started. A host that
   finds it missing has lost a BOOT, and begins anew. */
#define STATE_GREETED 0x80

enum ack { ACK_OK, ACK_BROKEN_FRAME, ACK_UNKNOWN, ACK_BAD_PAYLOAD };

enum feature {
    FEATURE_SENSORS = 1 << 0,
    FEATURE_LAMPS = 1 << 1,
    FEATURE_BUTTONS = 1 << 2,
    FEATURE_DICE_BUTTONS = 1 << 3,
    FEATURE_CHAIN_CHECK = 1 << 4,
};

void protocol_init(uint8_t reset_cause);

/* Take what has come in, send what is due. */
void protocol_run(bool state_changed);

/* Once a tick. */
void protocol_tick(void);

bool protocol_link_lost(void);

/* True once a reset was asked for and its answer has left: stop feeding the watchdog. */
bool protocol_wants_reset(void);

#endif
