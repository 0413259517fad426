/* SPDX-License-Identifier: MIT */
/*
 * Decimal text to the nearest float32: a fast path by way of double where that is sure to round right, else strtof.
 *
 * The fast path has w (at most 19 digits, so it fits uint64_t) and an exact power of ten up to 10^22. Its double comes
 * from two roundings, each by at most 2^-53 of the value, so it is off by hardly more than 2 units in the last place. A
 * further rounding to float32 is wrong only if a midpoint between two floats lies that close; midpoints have a one and
 * 28 zeros below the 24 bits that are kept. The range of the fast path has no denormal floats.
 *
 * strtof rounds correctly in glibc and musl. It reads the locale's decimal point, which is "." as long as the
 * program does not call setlocale, and this one does not.
 */
#include "parse_float.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DIGITS = 19, MAX_POWER = 22 };

/* Beyond what any file's count of digits could bring back to the range of the fast path. */
#define MAX_EXPONENT INT64_C(100000000000000000)

static const double powers[MAX_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                             1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

struct decimal {
    uint64_t digits;  /* the first 19 significant ones */
    int significant;  /* how many there are, capped */
    int64_t exponent; /* of ten */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_word(const char *text, const char *word)
{
    for (; *word; word++, text++)
        if ((*text | 0x20) != *word)
            return NULL;
    return text;
}

static const char *read_infinity(const char *text)
{
    const char *end = skip_word(text, "infinity");
    return end ? end : skip_word(text, "inf");
}

/* Reads a run of digits; each one moves the decimal exponent by step. */
static const char *read_digits(const char *text, struct decimal *d, int step)
{
    for (; is_digit(*text); text++) {
        if (d->significant < MAX_DIGITS) {
            d->digits = d->digits * 10 + (uint64_t)(*text - '0');
            d->significant += d->digits != 0;
        } else {
            d->significant = MAX_DIGITS + 1;
        }
        d->exponent += step;
    }
    return text;
}

static const char *read_exponent(const char *text, struct decimal *d)
{
    if ((*text | 0x20) != 'e')
        return text;
    const char *p = text + 1;
    bool negative = *p == '-';
    p += negative || *p == '+';
    if (!is_digit(*p))
        return text;
    int64_t exponent = 0;
    for (; is_digit(*p); p++)
        exponent = exponent < MAX_EXPONENT ? exponent * 10 + (*p - '0') : exponent;
    d->exponent += negative ? -exponent : exponent;
    return p;
}

/* exact: the double is the nearest one, as it comes from a single rounding. */
static bool fast_value(const struct decimal *d, float *value, double *near, bool *exact)
{
    if (d->digits == 0) {
        *near = *value = 0;
        *exact = true;
        return true;
    }
    if (d->significant > MAX_DIGITS || d->exponent < -MAX_POWER || d->exponent > MAX_POWER)
        return false;
    double w = (double)d->digits;
    double wide = d->exponent < 0 ? w / powers[-d->exponent] : w * powers[d->exponent];
    uint64_t bits;
    memcpy(&bits, &wide, sizeof bits);
    int64_t from_midpoint = (int64_t)(bits & 0x1FFFFFFF) - 0x10000000;
    if (wide >= (double)FLT_MAX || (from_midpoint >= -4 && from_midpoint <= 4))
        return false;
    *value = (float)wide;
    *near = wide;
    *exact = d->digits <= UINT64_C(1) << 53;
    return true;
}

enum parse_status parse_number(const char **text, float *value, double *wide)
{
    const char *start = *text;
    bool negative = *start == '-';
    const char *p = start + (negative || *start == '+');
    const char *infinity = read_infinity(p);
    if (infinity) {
        *text = infinity;
        *wide = *value = negative ? -INFINITY : INFINITY;
        return PARSE_OK;
    }

    struct decimal d = {0, 0, 0};
    const char *whole = p;
    p = read_digits(p, &d, 0);
    bool any = p > whole;
    if (*p == '.') {
        const char *fraction = p + 1;
        p = read_digits(fraction, &d, -1);
        any = any || p > fraction;
    }
    if (!any)
        return PARSE_UNREADABLE;
    p = read_exponent(p, &d);
    *text = p;

    bool exact = false;
    if (fast_value(&d, value, wide, &exact)) {
        *value = negative ? -*value : *value;
        *wide = negative ? -*wide : *wide;
    } else {
        *value = strtof(start, NULL);
    }
    if (!exact)
        *wide = strtod(start, NULL);
    return isinf(*value) ? PARSE_TOO_LARGE : PARSE_OK;
}

enum parse_status parse_float(const char **text, float *value)
{
    double unused;
    return parse_number(text, value, &unused);
}

/* Its last digit but for zeros must not be behind the point. */
bool parse_whole_number(const char *text)
{
    struct decimal d = {0, 0, 0};
    int64_t zeros = 0;
    const char *end = read_digits(text + (*text == '-' || *text == '+'), &d, 0);
    if (*end == '.')
        end = read_digits(end + 1, &d, -1);
    for (const char *p = end; d.digits > 0 && (p[-1] == '0' || p[-1] == '.'); p--)
        zeros += p[-1] == '0';
    read_exponent(end, &d);
    return d.digits == 0 || d.exponent + zeros >= 0;
}
