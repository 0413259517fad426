/* SPDX-License-Identifier: MIT */
/* The types of numbers that NPY files hold, and how they are read. */
#ifndef ABUT_CLI_NPY_NUMBERS_H
#define ABUT_CLI_NPY_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Functions come in two: for numbers in the byte order of this machine, and in the other. */
struct npy_number {
    char kind;     /* as NumPy writes it: 'i', 'u' or 'f' */
    unsigned size; /* bytes */
    bool exact;    /* every value is a float32 */

    /* The nearest float32 of numbers that are stride bytes apart. Too large ones become NaN; whether some are. */
    bool (*run[2])(const unsigned char *at, size_t stride, size_t count, float *to);

    /* The nearest float64. */
    double (*wide[2])(const unsigned char *at);

    /* The bits, sign-extended if they are those of a negative integer. */
    uint64_t (*bits[2])(const unsigned char *at);
};

/* NULL: such numbers are not read. */
const struct npy_number *npy_number_of(char kind, size_t size);

/* Whether the nearest float32 is infinite and the value is not. */
bool npy_is_too_large(double value);

#endif
