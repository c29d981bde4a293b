#include <avr/io.h>
#include <avr/wdt.h>

#include "memory.h"

#define NOINIT __attribute__((section(".noinit")))
#define EXPECTED 0xA5
#define UNUSED 0xC5

static uint8_t mcusr NOINIT, bootloader_mcusr NOINIT;
static uint8_t expected NOINIT, watchdog_resets NOINIT;

extern uint8_t _end, __stack; /* from the linker: behind the variables, top of RAM */

void before_main(void) __attribute__((naked, used, section(".init3")));
void paint_stack(void) __attribute__((naked, used, section(".init1")));

/* Before anything calls: no stack may be in use. */
void paint_stack(void)
{
    __asm__ volatile("    ldi r30, lo8(_end)    \n"
                     "    ldi r31, hi8(_end)    \n"
                     "    ldi r24, %0           \n"
                     "    ldi r25, hi8(__stack) \n"
                     "1:  st Z+, r24            \n"
                     "    cpi r30, lo8(__stack) \n"
                     "    cpc r31, r25          \n"
                     "    brlo 1b               \n" ::"M"(UNUSED));
}

/* The watchdog stays on after it has reset the chip: off before it bites again. A bootloader clears MCUSR and
   hands it over in r2. */
void before_main(void)
{
    __asm__ volatile("sts %0, r2" : "=m"(bootloader_mcusr));
    mcusr = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

uint8_t memory_reset_cause(void)
{
    uint8_t cause = mcusr ? mcusr : bootloader_mcusr & 0x0F;

    if (cause & _BV(PORF) || !(cause & _BV(WDRF))) {
        watchdog_resets = 0;
    } else if (expected == EXPECTED) {
        cause |= CAUSE_ASKED_FOR;
    } else {
        watchdog_resets++;
    }
    expected = 0;
    return cause;
}

void memory_expect_reset(void)
{
    expected = EXPECTED;
}

uint8_t memory_watchdog_resets(void)
{
    return watchdog_resets;
}

uint16_t memory_never_used(void)
{
    const uint8_t *byte = &_end;

    while (byte < &__stack && *byte == UNUSED)
        byte++;
    return byte - &_end;
}
