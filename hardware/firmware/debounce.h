/* A bit changes after four samples in a row that differ from it: two counter bits for each bit, side by side. */
#ifndef DEBOUNCE_H
#define DEBOUNCE_H

#define DEBOUNCE_OF(type)      \
    struct {                   \
        type state;            \
        type low, high;        \
    }

/* Feed one sample; `flips` receives the bits that changed. */
#define DEBOUNCE(counter, sample, flips)                               \
    do {                                                               \
        __typeof__((counter).state) differs = (counter).state ^ (sample); \
        (flips) = differs & (counter).low & (counter).high;            \
        differs &= ~(flips);                                           \
        (counter).high = ((counter).high ^ (counter).low) & differs;   \
        (counter).low = ~(counter).low & differs;                      \
        (counter).state ^= (flips);                                    \
    } while (0)

#endif
