/* The sensor board around an emulated AVR (simavr): shift registers, LED string, buttons, serial line.
 *
 * Driven from Python (emulated.py). Time is the chip's clock cycles; nothing here knows the wall clock, so the same
 * calls give the same bytes. simavr is GPL: this is for tests and is never shipped.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/avr_extint.h>
#include <simavr/avr_ioport.h>
#include <simavr/sim_elf.h>

#include "board_model.h"

#define ENDLESS_LOOP 0xCFFF /* rjmp to itself */

/* Time. */

static void on_sleep(avr_t *avr, avr_cycle_count_t cycles)
{
    struct board *b = avr->custom.data;

    b->slept += cycles + 1;
}

static avr_cycle_count_t alarm_rings(avr_t *avr, avr_cycle_count_t when, void *param)
{
    (void)avr, (void)when, (void)param;
    return 0;
}

static void on_reset(avr_t *avr)
{
    struct board *b = avr->custom.data;

    b->was_reset = true;
    if (b->chip_reset)
        b->chip_reset(avr);
}

/* A reset forgets the levels at the chip's pins and what it was receiving. */
static void drive_all(struct board *b)
{
    for (int i = 0; i < b->chains; i++) {
        drive_again(b->chain[i].pin, b->chain[i].level);
    }
    for (int i = 0; i < EXTINT_COUNT; i++)
        avr_extint_set_strict_lvl_trig(b->avr, i, 0); /* else it polls each low INT pin at every cycle: 20 times slower */
    drive_buttons(b);
    b->rx_count = 0;
    b->was_reset = false;
    b->resets++;
}

static uint64_t next_stop(struct board *b, uint64_t until)
{
    if (b->to_chip.in == b->to_chip.out)
        return until;
    uint64_t due = b->to_chip.when[b->to_chip.out % QUEUE];
    return due < until ? due : until;
}

/* Wakes simavr, not the chip: a sleep lasts to the next of simavr's timers. */
static void set_alarm(struct board *b, uint64_t stop)
{
    if (stop > b->avr->cycle)
        avr_cycle_timer_register(b->avr, stop - b->avr->cycle, alarm_rings, b);
}

static void run_to(struct board *b, uint64_t stop)
{
    avr_t *avr = b->avr;

    set_alarm(b, stop);
    while (avr->cycle < stop && avr->state != cpu_Crashed && avr->state != cpu_Done) {
        avr_run(avr);
        if (b->was_reset) {
            drive_all(b);
            set_alarm(b, stop); /* a reset has taken it away */
        }
    }
    avr_cycle_timer_cancel(avr, alarm_rings, b);
}

/* The calls for Python. */

/* Runs to that cycle; false when the chip has crashed. */
int board_run(struct board *b, uint64_t until)
{
    while (b->avr->cycle < until) {
        run_to(b, next_stop(b, until));
        if (b->avr->state == cpu_Crashed || b->avr->state == cpu_Done)
            return 0;
        while (b->to_chip.in != b->to_chip.out && b->to_chip.when[b->to_chip.out % QUEUE] <= b->avr->cycle)
            byte_arrives(b, b->to_chip.bytes[b->to_chip.out++ % QUEUE]);
    }
    return 1;
}

static avr_uart_t *find_uart(avr_t *avr, uint16_t data_register)
{
    return avr->io[AVR_DATA_TO_IO(data_register)].r.param;
}

static void quiet(avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr;
    if (level <= LOG_ERROR)
        vfprintf(stderr, format, arguments);
}

struct board *board_new(const char *elf, const char *mcu, uint32_t hz, int chains, int bits, int lamps, int buttons)
{
    struct board *b = calloc(1, sizeof *b);
    elf_firmware_t firmware = {0};
    const uint16_t data_register = 0xC6; /* UDR0 of a 328P and of a 2560 */
    uint32_t flags = 0;                  /* neither printing what is sent nor sleeping on a poll */

    avr_global_logger_set(quiet);
    if (elf_read_firmware(elf, &firmware) || !(b->avr = avr_make_mcu_by_name(mcu)))
        return NULL;
    firmware.frequency = hz;
    b->chains = chains, b->chain_bits = bits, b->lamps = lamps, b->buttons = buttons;
    avr_init(b->avr);
    avr_load_firmware(b->avr, &firmware);
    b->avr->custom.data = b;
    b->avr->sleep = on_sleep;
    b->chip_reset = b->avr->reset;
    b->avr->reset = on_reset;
    b->uart = find_uart(b->avr, data_register);
    avr_ioctl(b->avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(avr_io_getirq(b->avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_uart_out, b);
    b->avr->io[AVR_DATA_TO_IO(data_register)].r.c = on_uart_read;
    b->avr->io[AVR_DATA_TO_IO(data_register)].r.param = b;
    b->load = 1;
    for (int i = 0; i < chains; i++)
        b->chain[i].broken_at = -1;
    return b;
}

void board_free(struct board *b)
{
    avr_terminate(b->avr);
    free(b);
}

void board_wire(struct board *b, int role, int index, char port, int bit)
{
    static void (*const listeners[])(struct avr_irq_t *, uint32_t, void *) = {
        [ROLE_CLOCK] = on_clock, [ROLE_LOAD] = on_load, [ROLE_DATA] = on_data, [ROLE_LED_CLOCK] = on_led_clock,
    };
    avr_irq_t *pin = avr_io_getirq(b->avr, AVR_IOCTL_IOPORT_GETIRQ(port), bit);

    if (role == ROLE_CHAIN) {
        b->chain[index].pin = pin;
    } else if (role == ROLE_BUTTON) {
        b->button[index].port = port;
        b->button[index].bit = bit;
    } else {
        avr_irq_register_notify(pin, listeners[role], b);
    }
}

/* After the last wire: power comes. */
void board_power(struct board *b, uint64_t byte_cycles)
{
    b->byte_cycles = byte_cycles;
    drive_all(b);
    b->resets = 0;
}

void board_set_input(struct board *b, int chain, int bit, int level)
{
    b->chain[chain].inputs[bit] = level;
}

void board_break_chain(struct board *b, int chain, int stage)
{
    b->chain[chain].broken_at = stage;
}

void board_press(struct board *b, int button, int down)
{
    b->button[button].down = down;
    drive_buttons(b);
}

/* Bytes to the chip, one byte time apart; `together`: all at once, as no line can, to make it lose some. */
void board_send(struct board *b, const uint8_t *bytes, uint32_t count, int together)
{
    struct line *line = &b->to_chip;
    uint64_t when = b->avr->cycle;

    if (line->in != line->out && line->when[(line->in - 1) % QUEUE] > when)
        when = line->when[(line->in - 1) % QUEUE];
    for (uint32_t i = 0; i < count; i++)
        push(line, bytes[i], when += together ? 0 : b->byte_cycles);
}

uint32_t board_waiting(struct board *b)
{
    return b->to_chip.in - b->to_chip.out;
}

/* Bytes that have fully left the chip, with the cycles at which they had; at most `room`. */
uint32_t board_receive(struct board *b, uint8_t *bytes, uint64_t *when, uint32_t room)
{
    struct line *line = &b->from_chip;
    uint32_t count = 0;

    while (count < room && line->in != line->out && line->when[line->out % QUEUE] <= b->avr->cycle) {
        when[count] = line->when[line->out % QUEUE];
        bytes[count++] = line->bytes[line->out++ % QUEUE];
    }
    return count;
}

/* Changes of the LED string from number `from` on; gives how many there have been. */
uint64_t board_pictures(struct board *b, uint64_t from, struct picture *out, uint32_t room)
{
    for (uint32_t i = 0; i < room && from + i < b->changes; i++)
        out[i] = b->log[(from + i) % (QUEUE / 16)];
    return b->changes;
}

uint64_t board_cycle(struct board *b) { return b->avr->cycle; }
uint64_t board_slept(struct board *b) { return b->slept; }
uint64_t board_drawn(struct board *b) { return b->drawn; }
uint32_t board_resets(struct board *b) { return b->resets; }
uint32_t board_overruns(struct board *b) { return b->overruns; }

/* The reset pin; simavr does not note it as the cause, so it is noted here. */
void board_reset(struct board *b)
{
    avr_reset(b->avr);
    avr_regbit_set(b->avr, b->avr->reset_flags.extrf);
    drive_all(b);
}

/* Caught in an endless loop with interrupts off: what only a watchdog ends. */
int board_hang(struct board *b)
{
    for (uint32_t pc = 0; pc < b->avr->codeend; pc += 2)
        if ((b->avr->flash[pc] | b->avr->flash[pc + 1] << 8) == ENDLESS_LOOP) {
            b->avr->pc = pc;
            b->avr->sreg[S_I] = 0;
            b->avr->state = cpu_Running;
            return 1;
        }
    return 0;
}
