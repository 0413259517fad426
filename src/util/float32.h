/* SPDX-License-Identifier: MIT */
/*
 * A value rounded to float32, as a double. It goes through memory: where gcc 12 vectorizes straight-line code, it may
 * drop a conversion to float and back, and with it the rounding.
 */
#ifndef ABUT_UTIL_FLOAT32_H
#define ABUT_UTIL_FLOAT32_H

static inline double float32_of(double x)
{
    volatile float rounded = (float)x;
    return (double)rounded;
}

#endif
