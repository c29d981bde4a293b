#include <avr/pgmspace.h>
#include <string.h>

#include "board.h"

#include "lamps.h"
#include "pins.h"

#define STYLE(colour, rhythm) ((uint8_t)((rhythm) << 4 | (colour)))
#define STEPS_TICKS 8      /* moving lights are redrawn so often */
#define REFRESH_TICKS 256  /* still ones too: a spike on the string heals */
#define SWEEP_TICKS (LAMPS * STEPS_TICKS)

static const uint8_t string_order[LAMPS] PROGMEM = LED_STRING;
static const uint8_t palette[COLOURS][3] PROGMEM = PALETTE;
static const uint16_t rhythm_ticks[RHYTHMS] PROGMEM = RHYTHM_TICKS;

static uint8_t styles[LAMPS];
static uint16_t beat;        /* ticks into the rhythm; all lamps keep step */
static uint16_t ticks_left;  /* until dark; 0: no end */
static uint16_t sweep;       /* ticks into the lamp test after a start */
static uint16_t since_drawn; /* ticks */
static bool redraw;
static bool showing_lost;

void lamps_init(void)
{
    OUTPUT(DATA);
    OUTPUT(LED_CLOCK);
    LOW(LED_CLOCK);
    redraw = true;
}

bool lamps_style_known(uint8_t style)
{
    return (style & 0x0F) < COLOURS && style >> 4 < RHYTHMS;
}

void lamps_set(const uint8_t new_styles[], uint16_t ms)
{
    memcpy(styles, new_styles, LAMPS);
    ticks_left = ((uint32_t)ms * 1000 + TICK_US - 1) / TICK_US;
    beat = 0;
    sweep = SWEEP_TICKS;
    redraw = true;
}

static void send(uint8_t byte)
{
    for (uint8_t mask = 0x80; mask; mask >>= 1) {
        if (byte & mask)
            HIGH(DATA);
        else
            LOW(DATA);
        HIGH(LED_CLOCK);
        LOW(LED_CLOCK);
    }
}

static void send_zeros(uint8_t bytes)
{
    while (bytes--)
        send(0);
}

/* Brightness 0 to LED_BRIGHTNESS of a rhythm at this beat. */
static uint8_t level(uint8_t rhythm)
{
    uint16_t half = pgm_read_word(&rhythm_ticks[rhythm]), phase;

    if (!half)
        return LED_BRIGHTNESS;
    phase = beat % (2 * half);
    if (rhythm == RHYTHM_BREATHE)
        return (LED_BRIGHTNESS * (uint32_t)(phase < half ? phase : 2 * half - phase) + half / 2) / half;
    return (phase < half) != (rhythm == RHYTHM_SECOND) ? LED_BRIGHTNESS : 0;
}

static uint8_t style_of(uint8_t lamp)
{
    if (showing_lost)
        return lamp < POINT_LAMPS ? STYLE(COLOUR_RED, RHYTHM_BREATHE) : 0;
    if (sweep < SWEEP_TICKS)
        return sweep / STEPS_TICKS == lamp ? STYLE(COLOUR_WHITE, RHYTHM_STEADY) : 0;
    return styles[lamp];
}

static void send_lamp(uint8_t style)
{
    const uint8_t *rgb = palette[style & 0x0F];

    send(0xE0 | (style & 0x0F ? level(style >> 4) : 0));
    for (uint8_t part = 3; part--;) /* blue, green, red */
        send(pgm_read_byte(&rgb[part]));
}

static void draw(void)
{
    send_zeros(4);
    for (uint8_t i = 0; i < LAMPS; i++)
        send_lamp(style_of(pgm_read_byte(&string_order[i])));
    send_zeros(8); /* four for an SK9822 to show it, and a clock for every second lamp */
}

static bool moving(void)
{
    if (showing_lost || sweep < SWEEP_TICKS)
        return true;
    for (uint8_t i = 0; i < LAMPS; i++)
        if (styles[i] >> 4)
            return true;
    return false;
}

static void pass_time(void)
{
    if (++beat == RHYTHM_CYCLE_TICKS)
        beat = 0;
    if (sweep < SWEEP_TICKS)
        redraw |= ++sweep == SWEEP_TICKS;
    if (ticks_left && !--ticks_left) {
        memset(styles, 0, LAMPS);
        redraw = true;
    }
}

void lamps_tick(bool link_lost)
{
    redraw |= link_lost != showing_lost;
    showing_lost = link_lost;
    pass_time();
    redraw |= ++since_drawn == REFRESH_TICKS || (beat % STEPS_TICKS == 0 && moving());
}

void lamps_draw(void)
{
    if (!redraw)
        return;
    draw();
    redraw = false;
    since_drawn = 0;
}
