/* The sensor board around an emulated AVR (simavr): shift registers, LED string, buttons, serial line.
 *
 * Driven from Python (emulated.py). Time is the chip's clock cycles; nothing here knows the wall clock, so the same
 * calls give the same bytes. simavr is GPL: this is for tests and is never shipped.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/avr_extint.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_interrupts.h>

#define MAX_CHAINS 8
#define MAX_BITS 128
#define MAX_BUTTONS 16
#define MAX_LAMPS 64
#define QUEUE 65536 /* a power of two */
#define RX_BUFFER 2 /* bytes an AVR holds beside the one that is coming in; simavr holds 64 */
#define ENDLESS_LOOP 0xCFFF /* rjmp to itself */

enum role { ROLE_CHAIN, ROLE_CLOCK, ROLE_LOAD, ROLE_DATA, ROLE_LED_CLOCK, ROLE_BUTTON };

struct chain {
    avr_irq_t *pin;
    uint8_t inputs[MAX_BITS], stages[MAX_BITS];
    int head;       /* the stage whose bit is out now */
    int broken_at;  /* first stage that no longer gets through, or -1 */
    int level;      /* last driven on the pin */
};

struct line { /* bytes with the cycle at which each is over */
    uint8_t bytes[QUEUE];
    uint64_t when[QUEUE];
    uint32_t in, out;
};

struct picture { /* what the LED string shows: brightness, blue, green, red of each lamp along the string */
    uint64_t when;
    uint8_t lamps[MAX_LAMPS][4];
};

struct board {
    avr_t *avr;
    avr_uart_t *uart;
    void (*chip_reset)(avr_t *);
    bool was_reset;
    uint64_t slept;
    uint32_t resets;

    int chains, chain_bits, lamps, buttons;
    struct chain chain[MAX_CHAINS];
    struct { char port; uint8_t bit, down; } button[MAX_BUTTONS];
    uint8_t clock, load, data, led_clock;

    uint32_t word;
    int word_bits, lamp;
    bool in_string;
    struct picture drawing, shown;
    uint64_t drawn, changes;
    struct picture log[QUEUE / 16];

    struct line to_chip, from_chip;
    uint64_t byte_cycles, line_free;
    uint8_t rx[RX_BUFFER + 1];
    int rx_count;
    uint32_t overruns;
};

/* The registers' outputs. */

static void drive_chain(struct chain *chain)
{
    int level = chain->stages[chain->head];

    if (level != chain->level) {
        chain->level = level;
        avr_raise_irq(chain->pin, level);
    }
}

static void load_chains(struct board *b)
{
    for (int i = 0; i < b->chains; i++) {
        struct chain *chain = &b->chain[i];

        memcpy(chain->stages, chain->inputs, b->chain_bits);
        if (chain->broken_at >= 0)
            memset(chain->stages + chain->broken_at, 1, b->chain_bits - chain->broken_at);
        chain->head = 0;
        drive_chain(chain);
    }
}

static void clock_chains(struct board *b)
{
    for (int i = 0; i < b->chains; i++) {
        struct chain *chain = &b->chain[i];

        chain->stages[chain->head] = chain->broken_at >= 0 ? 1 : b->data;
        chain->head = (chain->head + 1) % b->chain_bits;
        drive_chain(chain);
    }
}

static void on_clock(struct avr_irq_t *irq, uint32_t level, void *param)
{
    struct board *b = param;

    (void)irq;
    if (level && !b->clock && b->load) /* while loading, a 74HC165 does not shift */
        clock_chains(b);
    b->clock = level;
}

static void on_load(struct avr_irq_t *irq, uint32_t level, void *param)
{
    struct board *b = param;

    (void)irq;
    if (!level && b->load)
        load_chains(b);
    b->load = level;
}

static void on_data(struct avr_irq_t *irq, uint32_t level, void *param)
{
    (void)irq;
    ((struct board *)param)->data = level;
}

/* The LED string: 32 zero bits begin, then 32 bits a lamp whose first three are ones; anything else ends it. */

static void show_picture(struct board *b)
{
    b->drawn++;
    b->drawing.when = b->avr->cycle;
    if (!memcmp(b->drawing.lamps, b->shown.lamps, sizeof b->shown.lamps))
        return;
    b->shown = b->drawing;
    b->log[b->changes++ % (QUEUE / 16)] = b->drawing;
}

static void take_word(struct board *b)
{
    bool is_lamp = b->word >> 29 == 7;

    if (is_lamp && b->lamp < b->lamps) {
        uint8_t *lamp = b->drawing.lamps[b->lamp++];

        lamp[0] = b->word >> 24 & 0x1F;
        for (int i = 1; i < 4; i++)
            lamp[i] = b->word >> (24 - 8 * i);
    } else {
        if (b->lamp)
            show_picture(b);
        b->in_string = false;
    }
}

static void take_bit(struct board *b)
{
    bool begins = b->in_string && !b->lamp && !b->word_bits;

    if (begins && !b->data)
        return; /* more zeros than a beginning needs */
    b->word = b->word << 1 | b->data;
    b->word_bits++;
    if (!b->in_string && b->word_bits >= 32 && !b->word) {
        b->in_string = true;
        b->lamp = b->word_bits = 0;
    } else if (b->in_string && b->word_bits == 32) {
        b->word_bits = 0;
        take_word(b);
    }
}

static void on_led_clock(struct avr_irq_t *irq, uint32_t level, void *param)
{
    struct board *b = param;

    (void)irq;
    if (level && !b->led_clock)
        take_bit(b);
    b->led_clock = level;
}

/* The serial line. */

static void push(struct line *line, uint8_t byte, uint64_t when)
{
    if (line->in - line->out == QUEUE)
        abort();
    line->bytes[line->in % QUEUE] = byte;
    line->when[line->in++ % QUEUE] = when;
}

static void on_uart_out(struct avr_irq_t *irq, uint32_t byte, void *param)
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

static void byte_arrives(struct board *b, uint8_t byte)
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
static uint8_t on_uart_read(struct avr_t *avr, avr_io_addr_t address, void *param)
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

/* simavr passes on changes only: away first, then to the level. */
static void drive_again(avr_irq_t *pin, int level)
{
    avr_raise_irq(pin, !level);
    avr_raise_irq(pin, level);
}

/* A pressed button holds its pin against the chip's pull-up, which simavr would raise at every write to the port. */
static void drive_buttons(struct board *b)
{
    for (int i = 0; i < b->buttons; i++) {
        char port = b->button[i].port;
        avr_ioport_external_t held = {.name = port};

        for (int j = 0; j < b->buttons; j++)
            if (b->button[j].port == port && b->button[j].down)
                held.mask |= 1 << b->button[j].bit;
        avr_ioctl(b->avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(port), &held);
        drive_again(avr_io_getirq(b->avr, AVR_IOCTL_IOPORT_GETIRQ(port), b->button[i].bit), !b->button[i].down);
    }
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
