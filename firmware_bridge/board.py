"""Made from hardware/board.toml by hardware/generate.py (make board): change that, not this."""

# fmt: off
from __future__ import annotations

NAME = "kibitz-180"
PROTOCOL = 1
FIRMWARE = (0, 1, 0)
BAUD = 115200
LIGHT_IS_NORTH = True
SENSOR_IDLE = 1
CHAINS = 5
CHAIN_BITS = 72
LAMPS = 30
LED_BRIGHTNESS = 8

BUTTONS = ("confirm", "clock_light", "clock_dark", "die_1", "die_2", "die_3", "die_4", "die_5", "die_6")
#: Lamp numbers in the order of the string.
LED_STRING = (
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 24, 25, 26,
    27, 28, 29,
)
#: Red, green, blue; the position is the colour's number on the wire.
PALETTE = {
    "off": (0, 0, 0),
    "white": (255, 255, 255),
    "green": (0, 255, 0),
    "red": (255, 0, 0),
    "amber": (255, 110, 0),
    "blue": (0, 0, 255),
}
#: Seconds of half a period; the position is the rhythm's number on the wire.
RHYTHMS = {"steady": 0.0, "fast": 0.12, "slow": 0.48, "alternate": 0.48, "second": 0.48, "breathe": 0.96}

#: Each slot's place on the table and its level there, 0 at the rim; chain by chain, as wired.
SLOT_PLACE = (
    0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 5, 5, 5,
    5, 5, 5, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 10, 10, 10, 10, 10,
    10, 11, 11, 11, 11, 11, 11, 12, 12, 12, 12, 12, 12, 13, 13, 13, 13, 13, 13, 14, 14, 14, 14, 14, 14,
    15, 15, 15, 15, 15, 15, 16, 16, 16, 16, 16, 16, 17, 17, 17, 17, 17, 17, 18, 18, 18, 18, 18, 18, 19,
    19, 19, 19, 19, 19, 20, 20, 20, 20, 20, 20, 21, 21, 21, 21, 21, 21, 22, 22, 22, 22, 22, 22, 23, 23,
    23, 23, 23, 23, 24, 24, 24, 25, 25, 25, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26,
    27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27,
)
SLOT_LEVEL = (
    0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2,
    3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5,
    0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2,
    3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5,
    0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 0, 1, 2, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
    14, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
)

#: Raspberry Pi without a microcontroller: devices on SPI 0, BCM pins.
PI_SENSORS, PI_LAMPS = 0, 1
PI_LOAD = 25
PI_BUTTONS = (5, 6, 13)
PI_GREEN, PI_AMBER, PI_RED = 17, 27, 22
