/* Kibitz sensor board: every tick one scan; between ticks the chip sleeps. */
#include <avr/interrupt.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "board.h"

#include "buttons.h"
#include "lamps.h"
#include "memory.h"
#include "protocol.h"
#include "scan.h"
#include "uart.h"

#define TIMER_TOP (F_CPU / 8 / 1000000UL * TICK_US - 1)

static volatile uint8_t ticks;

ISR(TIMER1_COMPA_vect)
{
    ticks++;
}

static void timer_init(void)
{
    TCCR1A = 0;
    OCR1A = TIMER_TOP;
    TIMSK1 = _BV(OCIE1A);
    TCCR1B = _BV(WGM12) | _BV(CS11); /* count to OCR1A at an eighth of the clock */
}

/* One tick's work; true when the state changed. */
static bool tick(void)
{
    bool changed = scan();

    changed |= buttons_scan();
    protocol_tick();
    lamps_tick(protocol_link_lost());
    return changed;
}

/* With interrupts off until the instruction before sleep, so that none slips in between and is slept through. */
static void sleep_until_needed(uint8_t seen)
{
    cli();
    if (ticks == seen && !uart_received()) {
        sleep_enable();
        sei();
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

static void wait_for_watchdog(void)
{
    memory_expect_reset();
    cli();
    for (;;)
        ;
}

static void init(void)
{
    scan_init();
    buttons_init();
    lamps_init();
    uart_init();
    timer_init();
    set_sleep_mode(SLEEP_MODE_IDLE);
    wdt_enable(WDTO_250MS);
    sei();
    protocol_init(memory_reset_cause());
}

int main(void)
{
    uint8_t seen = 0;

    init();
    for (;;) {
        bool changed = false;

        wdt_reset();
        if (ticks != seen) {
            seen++;
            changed = tick();
        }
        protocol_run(changed);
        lamps_draw();
        if (protocol_wants_reset())
            wait_for_watchdog();
        sleep_until_needed(seen);
    }
}
