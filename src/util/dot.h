/* SPDX-License-Identifier: MIT */
/* The dot product of two vectors of three float64, rounded in the same order everywhere. */
#ifndef ABUT_UTIL_DOT_H
#define ABUT_UTIL_DOT_H

static inline double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

#endif
