/* SPDX-License-Identifier: MIT */
/* Entries of a 32-bit key and a 32-bit index, and their radix sort. */
#ifndef ABUT_BVH_RADIX_SORT_H
#define ABUT_BVH_RADIX_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    /*
     * The 22 bits of a key below its bucket (build/sort.c) are two long digits. Few entries do not pay for 2048
     * counters, and take three short digits.
     */
    DIGIT_BITS = 11,
    SHORT_DIGIT_BITS = 8,
    DIGITS = 1 << DIGIT_BITS,
    SOME = 256, /* fewer entries take short digits */
    FEW = 32    /* no more than this are sorted by insertion */
};

static inline uint64_t entry(uint32_t key, size_t i)
{
    return (uint64_t)key << 32 | (uint32_t)i;
}

static inline void radix_pass(uint32_t *starts, const uint64_t *from, uint64_t *to, size_t n, unsigned shift,
                              unsigned digit_bits)
{
    const unsigned digits = 1U << digit_bits;
    uint32_t sum = 0;
    memset(starts, 0, digits * sizeof *starts);
    for (size_t i = 0; i < n; i++)
        starts[from[i] >> shift & (digits - 1)]++;
    for (unsigned digit = 0; digit < digits; digit++) {
        const uint32_t count = starts[digit];
        starts[digit] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++)
        to[starts[from[i] >> shift & (digits - 1)]++] = from[i];
}

static inline void insertion_sort(uint64_t *entries, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const uint64_t e = entries[i];
        size_t to = i;
        for (; to > 0 && entries[to - 1] > e; to--)
            entries[to] = entries[to - 1];
        entries[to] = e;
    }
}

/*
 * Sorts by the low bits of the keys; their other bits are equal. Entries with equal keys keep their order, or, if there
 * are at most FEW, are in that of their indices. starts has DIGITS counters.
 */
static inline void sort_entries(uint32_t *starts, uint64_t *entries, uint64_t *spare, size_t n, unsigned bits)
{
    if (n <= FEW) {
        insertion_sort(entries, n);
        return;
    }
    const unsigned digit_bits = n < SOME ? SHORT_DIGIT_BITS : DIGIT_BITS;
    uint64_t *from = entries, *to = spare;
    for (unsigned shift = 32; shift < 32 + bits; shift += digit_bits) {
        radix_pass(starts, from, to, n, shift, digit_bits);
        uint64_t *done = from;
        from = to;
        to = done;
    }
    if (from != entries)
        memcpy(entries, from, n * sizeof *entries);
}

#endif
