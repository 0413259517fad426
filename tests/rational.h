/* SPDX-License-Identifier: MIT */
/* Rational arithmetic for the oracle, and the common beginning of its answers; numbers are per including file. */
#ifndef ABUT_TESTS_RATIONAL_H
#define ABUT_TESTS_RATIONAL_H

#include "oracle.h"

#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MISS = -1, TOUCH = 0, HIT = 1 };

/* Numbers live until the next answer, in blocks that stay where they are: some answers take a million. */
enum { BLOCK = 4096, MAX_BLOCKS = 4096 };
static mpq_t *blocks[MAX_BLOCKS];
static unsigned used, initialised;

static inline mpq_ptr new_number(void)
{
    mpq_t **block = &blocks[used / BLOCK];
    if (used == BLOCK * MAX_BLOCKS || (*block == NULL && (*block = malloc(sizeof(mpq_t) * BLOCK)) == NULL)) {
        fputs("an answer of the oracle takes more numbers than there is memory for\n", stderr);
        abort();
    }
    if (used == initialised)
        mpq_init((*block)[initialised++ % BLOCK]);
    return (*block)[used++ % BLOCK];
}

static inline mpq_ptr of(float x)
{
    mpq_ptr r = new_number();
    mpq_set_d(r, (double)x);
    return r;
}

static inline mpq_ptr plus(mpq_srcptr a, mpq_srcptr b)
{
    mpq_ptr r = new_number();
    mpq_add(r, a, b);
    return r;
}

static inline mpq_ptr minus(mpq_srcptr a, mpq_srcptr b)
{
    mpq_ptr r = new_number();
    mpq_sub(r, a, b);
    return r;
}

static inline mpq_ptr times(mpq_srcptr a, mpq_srcptr b)
{
    mpq_ptr r = new_number();
    mpq_mul(r, a, b);
    return r;
}

static inline mpq_ptr over(mpq_srcptr a, mpq_srcptr b)
{
    mpq_ptr r = new_number();
    mpq_div(r, a, b);
    return r;
}

static inline mpq_ptr square(mpq_srcptr a)
{
    return times(a, a);
}

static inline mpq_ptr absolute(mpq_srcptr a)
{
    mpq_ptr r = new_number();
    mpq_abs(r, a);
    return r;
}

static inline mpq_srcptr greater(mpq_srcptr a, mpq_srcptr b)
{
    return mpq_cmp(a, b) >= 0 ? a : b;
}

/* left <= right: a hit where <, a touch where =. */
static inline int at_most(mpq_srcptr left, mpq_srcptr right)
{
    int order = mpq_cmp(left, right);
    return order < 0 ? HIT : order == 0 ? TOUCH : MISS;
}

/* All must hold. */
static inline int least(int a, int b)
{
    return a < b ? a : b;
}

static inline bool any_nan(const float *members, int n)
{
    for (int k = 0; k < n; k++)
        if (isnan(members[k]))
            return true;
    return false;
}

static inline bool infinite_point(const float *p)
{
    return isinf(p[0]) || isinf(p[1]) || isinf(p[2]);
}

static inline mpq_ptr squared_distance(const float *p, const float *q)
{
    mpq_ptr sum = of(0);
    for (int k = 0; k < 3; k++)
        sum = plus(sum, square(minus(of(p[k]), of(q[k]))));
    return sum;
}

/* Equations that one answer may solve at once. */
enum { MOST_UNKNOWNS = 4 };

/* Solves m equations in place, with the solution in column m; false if they are dependent. */
static inline bool eliminate(mpq_ptr a[MOST_UNKNOWNS][MOST_UNKNOWNS + 1], unsigned m)
{
    for (unsigned column = 0; column < m; column++) {
        unsigned pivot = column;
        while (pivot < m && mpq_sgn(a[pivot][column]) == 0)
            pivot++;
        if (pivot == m)
            return false;
        for (unsigned k = 0; k <= m; k++) {
            mpq_ptr swap = a[column][k];
            a[column][k] = a[pivot][k];
            a[pivot][k] = swap;
        }
        for (unsigned row = 0; row < m; row++) {
            if (row == column || mpq_sgn(a[row][column]) == 0)
                continue;
            mpq_ptr factor = over(a[row][column], a[column][column]);
            for (unsigned k = column; k <= m; k++)
                a[row][k] = minus(a[row][k], times(factor, a[column][k]));
        }
    }
    for (unsigned row = 0; row < m; row++)
        a[row][m] = over(a[row][m], a[row][row]);
    return true;
}

#endif
